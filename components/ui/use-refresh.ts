"use client";
import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";

/** How many parts of the page hold it. */
let held = 0;

/**
 * Renders the page again, but not while `useHeldRefresh` holds it: after an update of the server, Next reloads the page
 * instead and loses what only its memory has.
 */
export function useRefresh(): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (held === 0) router.refresh();
  }, [router]);
}

/** Keeps the page as it is while the component is mounted, such as a secret that is shown once; then renders it again. */
export function useHeldRefresh(): void {
  const router = useRouter();
  useEffect(() => {
    held += 1;
    return () => {
      held -= 1;
      if (held === 0) router.refresh();
    };
  }, [router]);
}
