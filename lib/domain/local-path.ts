/** Any origin works: it only detects paths that leave the site. */
const THIS_SITE = "http://this-site.invalid";

/** Path, query and fragment that a browser resolves `text` to; null if that leaves the site. */
export function toLocalPath(text: string): string | null {
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
