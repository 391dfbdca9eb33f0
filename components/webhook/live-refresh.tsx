"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Beyond it the reader has left: the page must not keep their session from going idle. */
const MAX_REFRESHES = 120;

/** Asks for the page again at an interval, while it is visible. Null: nothing on it changes without the reader. */
export function LiveRefresh({ everyMs }: { readonly everyMs: number | null }) {
  const router = useRouter();
  useEffect(() => {
    if (everyMs === null) return;
    let refreshes = 0;
    const timer = window.setInterval(() => {
      refreshes += 1;
      if (refreshes > MAX_REFRESHES) return window.clearInterval(timer);
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs, router]);
  return null;
}
