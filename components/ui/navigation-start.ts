const START = "license-desk:navigation-start";

export interface NavigationStart {
  /** Of the page that was asked for. */
  readonly pathname: string;
  /** Back or forward: the browser scrolls to where one was. */
  readonly returns: boolean;
}

/** Next calls it in the browser as a navigation begins (`instrumentation-client.ts`), whichever link or code asked for it. */
export function announceNavigation(url: string, type: "push" | "replace" | "traverse"): void {
  const { pathname } = new URL(url, window.location.href);
  // Another filter or order of the same list is shown by the list itself.
  if (pathname === window.location.pathname && type !== "traverse") return;
  const detail: NavigationStart = { pathname, returns: type === "traverse" };
  window.dispatchEvent(new CustomEvent(START, { detail }));
}

/** @returns ends listening */
export function onNavigationStart(listener: (navigation: NavigationStart) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<NavigationStart>).detail);
  window.addEventListener(START, hear);
  return () => window.removeEventListener(START, hear);
}
