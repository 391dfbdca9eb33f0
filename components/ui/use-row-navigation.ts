"use client";
import { type RefObject, useEffect } from "react";
import { isShortcutEvent } from "./shortcut-event.ts";

/**
 * j and k move the focus down and up among the rows of all tables of the page; Enter is the focused control's own. The
 * first j, from anywhere, goes to the first row. One table of the page listens for all.
 */
export function useRowNavigation(ref: RefObject<HTMLTableElement | null>): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if ((event.key !== "j" && event.key !== "k") || !isShortcutEvent(event)) return;
      const tables = [...document.querySelectorAll<HTMLTableElement>(".data-table")];
      if (tables[0] !== ref.current) return;
      const places = tables.flatMap((table) => [...table.tBodies].flatMap(({ rows }) => [...rows].flatMap(placeOf)));
      const row = document.activeElement?.closest('[role="row"]');
      const current = places.findIndex((place) => row?.contains(place));
      const target = places[current === -1 ? 0 : current + (event.key === "j" ? 1 : -1)];
      if (target === undefined) return;
      event.preventDefault();
      if (target instanceof HTMLTableRowElement) target.tabIndex = -1;
      // A script's focus() shows its ring only when told to, where the last input was a press.
      target.focus({ focusVisible: true } as FocusOptions);
      target.scrollIntoView({ block: "nearest" });
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [ref]);
}

/**
 * Where a row takes the focus: its link; where nothing opens it, its last control, which is its main one; else the row
 * itself, to be read.
 */
function placeOf(row: HTMLTableRowElement): HTMLElement[] {
  const control =
    row.querySelector<HTMLElement>("[data-row-link]") ??
    [...row.querySelectorAll<HTMLElement>("a[href], button:not(:disabled)")].at(-1);
  const place = control?.checkVisibility() ? control : row;
  return place.checkVisibility() ? [place] : [];
}
