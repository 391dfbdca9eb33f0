import { useSyncExternalStore } from "react";

/** As in the styles: below Tailwind's `md`. */
const PHONE = "(width < 48rem)";

function subscribe(onChange: () => void) {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** For what a page does differently on phones; how it looks there is the styles' to say. False on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
}
