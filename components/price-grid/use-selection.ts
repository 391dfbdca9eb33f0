"use client";
import { useState } from "react";
import type { GridPoint, Selection } from "./grid.ts";

interface Place {
  readonly key: string | undefined;
  readonly column: number;
}

const ORIGIN = { row: 0, column: 0 };

/** What is selected, which stays on its rows while others come and go above them; the first cell if its rows have gone. */
export function useSelection(rows: readonly { readonly key: string }[]) {
  const [places, setPlaces] = useState<Readonly<Record<keyof Selection, Place>> | null>(null);
  const find = ({ key, column }: Place): GridPoint => ({ row: rows.findIndex((row) => row.key === key), column });
  const toPlace = ({ row, column }: GridPoint): Place => ({ key: rows[row]?.key, column });
  const focus = places === null ? ORIGIN : find(places.focus);
  const anchor = places === null ? ORIGIN : find(places.anchor);
  const selection: Selection =
    focus.row < 0 ? { focus: ORIGIN, anchor: ORIGIN } : { focus, anchor: anchor.row < 0 ? focus : anchor };
  const select = (next: Selection) => setPlaces({ focus: toPlace(next.focus), anchor: toPlace(next.anchor) });
  return { selection, select };
}
