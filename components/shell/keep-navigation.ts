/** How long the browser may take from asking for another page to ending the requests of this one. */
const ENDED_WITHIN_MS = 10_000;
const AGAIN_AFTER_MS = 3_000;

/**
 * Keeps a page that is being left from coming back. Firefox ends a page's requests as soon as another page is asked for.
 * Next takes that for a lost connection, and has the browser load what it requested instead of that other page. The
 * request is sent again if the page is still there, as after a download.
 */
export function keepNavigation(): void {
  let leftAtMs = Number.NEGATIVE_INFINITY;
  window.addEventListener("beforeunload", () => {
    leftAtMs = performance.now();
  });
  const send = window.fetch;
  window.fetch = async (input, init) => {
    try {
      return await send(input, init);
    } catch (error) {
      const isEnded = performance.now() < leftAtMs + ENDED_WITHIN_MS && !init?.signal?.aborted;
      const method = init?.method ?? (input instanceof Request ? input.method : "GET");
      if (!isEnded || method !== "GET") throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
      return send(input, init);
    }
  };
}
