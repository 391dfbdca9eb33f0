"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Asks for the page anew at an interval, while it is visible. Null: nothing on it will change by itself. */
export function LiveRefresh({ everyMs }: { readonly everyMs: number | null }) {
  const router = useRouter();
  useEffect(() => {
    if (everyMs === null) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs, router]);
  return null;
}
