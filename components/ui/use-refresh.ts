"use client";
import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";

/** Parts of the page that must not be lost. */
let held = 0;

/**
 * Renders the page again, or not before `useHeldRefresh` lets go. After an update of the server, Next loads the page anew
 * then, without what only its memory has.
 */
export function useRefresh(): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (held === 0) router.refresh();
  }, [router]);
}

/** While held, such as when a secret is shown once, nothing renders the page again; afterwards it is rendered again. */
export function useHeldRefresh(isHeld = true): void {
  const router = useRouter();
  useEffect(() => {
    if (!isHeld) return;
    held += 1;
    return () => {
      held -= 1;
      if (held === 0) router.refresh();
    };
  }, [isHeld, router]);
}
