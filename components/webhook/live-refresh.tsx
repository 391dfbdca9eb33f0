"use client";
import { useEffect } from "react";
import { useRefresh } from "#components/ui/use-refresh.ts";

/** Beyond it the reader has left: the page must not keep their session from going idle. */
const MAX_REFRESHES = 120;

/** Asks for the page again at an interval, while it is visible. Null: nothing on it changes without the reader. */
export function LiveRefresh({ everyMs }: { readonly everyMs: number | null }) {
  const refresh = useRefresh();
  useEffect(() => {
    if (everyMs === null) return;
    let refreshes = 0;
    const timer = window.setInterval(() => {
      refreshes += 1;
      if (refreshes > MAX_REFRESHES) return window.clearInterval(timer);
      if (document.visibilityState === "visible") refresh();
    }, everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs, refresh]);
  return null;
}
