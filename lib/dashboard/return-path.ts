import { toLocalPath } from "#lib/domain/local-path.ts";

/** The page to go to after signing in: a path on this site, never another site's address; the start page otherwise. */
export function returnPath(next: string | readonly string[] | undefined): string {
  const path = typeof next === "string" ? toLocalPath(next) : null;
  return path === null || path.startsWith("/sign-in") ? "/" : path;
}
