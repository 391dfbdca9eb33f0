"use client";
import { type RefObject, useEffect } from "react";
import { isShortcutEvent } from "./shortcut-event.ts";

/**
 * j and k move the focus down and up among the `[data-row-link]` elements inside `ref`; Enter is the link's own. The
 * first j, from anywhere, goes to the first row.
 */
export function useRowNavigation(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if ((event.key !== "j" && event.key !== "k") || !isShortcutEvent(event) || ref.current === null) return;
      const links = [...ref.current.querySelectorAll<HTMLElement>("[data-row-link]")];
      const row = document.activeElement?.closest('[role="row"]');
      const current = links.findIndex((link) => row?.contains(link));
      const target = links[current === -1 ? 0 : current + (event.key === "j" ? 1 : -1)];
      if (target === undefined) return;
      event.preventDefault();
      // A script's focus() shows its ring only when told to, where the last input was a press.
      target.focus({ focusVisible: true } as FocusOptions);
      target.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [ref]);
}
