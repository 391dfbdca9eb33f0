/** Any origin will do: only whether a path leaves it counts. */
const THIS_SITE = "http://this-site.invalid";

/** The path, query and fragment that a browser on this site makes of `text`; null where it would leave the site. */
export function ownPath(text: string): string | null {
  const url = text.startsWith("/") ? resolve(text) : null;
  if (url === null) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // Resolving removes dot segments: `/.//elsewhere.example` becomes `//elsewhere.example`, which names another site.
  return resolve(path) === null ? null : path;
}

function resolve(path: string): URL | null {
  const url = URL.canParse(path, THIS_SITE) ? new URL(path, THIS_SITE) : null;
  return url?.origin === THIS_SITE ? url : null;
}
