const START = "license-desk:navigation-start";

/** Next calls it in the browser as a navigation begins (`instrumentation-client.ts`), whichever link or code asked for it. */
export function announceNavigation(url: string, type: "push" | "replace" | "traverse"): void {
  // Back and forward keep what is seen: the browser scrolls to where one was.
  if (type === "traverse") return;
  const { pathname } = new URL(url, window.location.href);
  // Another filter or order of the same list is shown by the list itself.
  if (pathname !== window.location.pathname) window.dispatchEvent(new Event(START));
}

/** @returns ends listening */
export function onNavigationStart(listener: () => void): () => void {
  window.addEventListener(START, listener);
  return () => window.removeEventListener(START, listener);
}
