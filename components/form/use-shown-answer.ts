"use client";
import { useEffect, useLayoutEffect, useRef, useTransition } from "react";

/** Limits the wait for the page: the connection can stall after the answer. */
const LONGEST_MS = 10_000;

/** The page that comes with an action's answer arrives after it, and is shown when all of it is there. */
export function useShownAnswer() {
  const [isRendering, startTransition] = useTransition();
  const isRenderingRef = useRef(false);
  /** Also after a page that came without the form. */
  const isThereRef = useRef(true);
  const shownRef = useRef(() => {});
  useLayoutEffect(() => {
    isRenderingRef.current = isRendering;
    if (!isRendering) shownRef.current();
  }, [isRendering]);
  useEffect(() => {
    isThereRef.current = true;
    return () => {
      isThereRef.current = false;
      shownRef.current();
    };
  }, []);
  return {
    isThereRef,
    /** Calls an action, whose page can be waited for from then on. */
    follow<Answer>(call: () => Promise<Answer>): Promise<Answer> {
      return new Promise((resolve) =>
        // Until the call has reached Next's router, which shows the page in the same transition.
        startTransition(() => {
          resolve(call());
          return new Promise<void>((called) => window.setTimeout(called));
        }),
      );
    },
    untilShown: () =>
      new Promise<void>((resolve) => {
        if (!isRenderingRef.current || !isThereRef.current) return resolve();
        shownRef.current = resolve;
        window.setTimeout(resolve, LONGEST_MS);
      }),
  };
}
