/**
 * Answers a page's request that does not reach the server with one static page, which reloads once the server answers. It stores
 * nothing and touches no other request (docs/decisions/0073).
 */
const RETRY_MS = 3_000;
/** A proxy's answer while the server behind it is away. */
const GATEWAY_FAILURES = [502, 504];

const pageOf = (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No connection · License Desk</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; box-sizing: border-box;
  font: 0.875rem/1.5 system-ui, sans-serif; color: #1a1d21; background: #f9f9fb; }
main { max-width: 26rem; text-align: center; }
svg { width: 1.5rem; color: #2455b8; }
.name { display: flex; justify-content: center; align-items: center; gap: 0.5rem; margin: 0 0 1.5rem; font-weight: 600; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 0.5rem; }
p[role] { margin: 0 0 1.25rem; color: #5b626b; }
a { display: inline-block; padding: 0.5rem 0.875rem; border-radius: 0.375rem; border: 1px solid #8b929b;
  color: inherit; font-weight: 500; text-decoration: none; }
a:focus-visible { outline: 2px solid #2357c4; outline-offset: 2px; }
@media (prefers-color-scheme: dark) {
  body { color: #eceef1; background: #0d0f12; }
  p[role] { color: #a3abb5; }
  svg { color: #356ad1; }
  a:focus-visible { outline-color: #66a5ff; }
}
</style>
</head>
<body>
<main>
<p class="name"><svg viewBox="0 0 24 24" fill="none" aria-hidden="true"><path d="M3 7.5A4.5 4.5 0 0 1 7.5 3h9A4.5 4.5 0 0 1 21 7.5v9a4.5 4.5 0 0 1-4.5 4.5h-9A4.5 4.5 0 0 1 3 16.5v-9Z" fill="currentColor"/><circle cx="9" cy="9" r="2.6" stroke="#fff" stroke-width="1.8"/><path d="m11 11 5.2 5.2m-2.7-2.7 1.8-1.8" stroke="#fff" stroke-linecap="round" stroke-width="1.8"/></svg> License Desk</p>
<h1>No connection</h1>
<p role="status">License Desk cannot be reached. Retrying: this page opens as soon as the connection is back.</p>
<a href="">Try again now</a>
</main>
<script nonce="${nonce}">
async function retry() {
  const answer = await fetch("/icon.svg", { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}
setInterval(retry, ${RETRY_MS});
addEventListener("online", retry);
</script>
</body>
</html>
`;

function offlineAnswer() {
  const nonce = crypto.randomUUID();
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return new Response(pageOf(nonce), {
    status: 503,
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy,
      "content-type": "text/html; charset=utf-8",
    },
  });
}

async function answer({ request, preloadResponse }) {
  try {
    const response = (await preloadResponse) ?? (await fetch(request));
    return GATEWAY_FAILURES.includes(response.status) ? offlineAnswer() : response;
  } catch {
    return offlineAnswer();
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  // The request for a page leaves at once, while the worker starts.
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]));
});
self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(answer(event));
});
