import { toLocalPath } from "#lib/domain/local-path.ts";

/** The page to open after signing in: a path on this site, by default the start page. */
export function returnPath(next: string | readonly string[] | undefined): string {
  const path = typeof next === "string" ? toLocalPath(next) : null;
  return path === null || path.startsWith("/sign-in") ? "/" : path;
}
