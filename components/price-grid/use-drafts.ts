"use client";
import { useState } from "react";
import { findAmountProblem, type GridCell } from "./grid.ts";

type Texts = Readonly<Record<string, string>>;

export interface CellProblem {
  readonly cell: GridCell;
  readonly message: string;
}

export interface Drafts {
  /** Ids of cells that are typed and not saved. */
  readonly changedIds: readonly string[];
  readonly textOf: (cell: GridCell) => string;
  readonly set: (texts: Texts) => void;
  readonly discard: () => void;
  /** Shows what was typed until the page has the saved amounts: in between it would show the old ones. */
  readonly release: () => void;
  readonly refuse: (reasons: Texts) => void;
  /** Of what is typed, or as the server refused it. */
  readonly problems: readonly CellProblem[];
  /** Cells that somebody else has changed since the first one was typed here. */
  readonly changedMeanwhile: readonly GridCell[];
}

/** What is typed into a grid, kept while the stored amounts change behind it. */
export function useDrafts(cells: readonly GridCell[]): Drafts {
  const [drafts, setDrafts] = useState<Texts>({});
  const [reasons, setReasons] = useState<Texts>({});
  /** What the cells showed when the first one was typed; null: none is. */
  const [before, setBefore] = useState<Texts | null>(null);
  const [released, setReleased] = useState<{ readonly drafts: Texts; readonly version: string } | null>(null);
  const stored = Object.fromEntries(cells.map((cell) => [cell.id, cell.stored]));
  const version = JSON.stringify(stored);
  const keep = (kept: Texts) => {
    setDrafts(kept);
    setReasons({});
    setBefore(Object.keys(kept).length > 0 ? stored : null);
    setReleased(null);
  };
  const isReleased = (id: string) => released !== null && released.drafts[id] === drafts[id];
  if (released !== null && released.version !== version)
    keep(Object.fromEntries(Object.entries(drafts).filter(([id]) => !isReleased(id))));
  return {
    changedIds: Object.keys(drafts).filter((id) => drafts[id] !== stored[id] && !isReleased(id)),
    textOf: ({ id, stored }) => drafts[id] ?? stored,
    set(texts) {
      setBefore((known) => known ?? stored);
      setDrafts((known) => ({ ...known, ...texts }));
      setReasons((known) => Object.fromEntries(Object.entries(known).filter(([id]) => !(id in texts))));
    },
    discard: () => keep({}),
    release: () => setReleased({ drafts, version }),
    refuse: setReasons,
    problems: cells.flatMap((cell) => {
      const message = findAmountProblem(drafts[cell.id] ?? "", cell.currency) ?? reasons[cell.id];
      return message === undefined || message === null ? [] : [{ cell, message }];
    }),
    changedMeanwhile: before === null ? [] : cells.filter(({ id, stored }) => (before[id] ?? stored) !== stored),
  };
}
