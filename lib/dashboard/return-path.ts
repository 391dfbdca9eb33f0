/** The page to go to after signing in: a path on this site, never another site's address; the start page otherwise. */
export function returnPath(next: string | readonly string[] | undefined): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/";
  const base = "http://this-site.invalid";
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  if (url === null || url.origin !== base || url.pathname.startsWith("/sign-in")) return "/";
  return `${url.pathname}${url.search}${url.hash}`;
}
