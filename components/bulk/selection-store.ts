"use client";
import { useSyncExternalStore } from "react";

/** Rows by their ids, or all that match the list's filter, whose query `search` is. */
export type Selection =
  | { readonly kind: "ids"; readonly ids: ReadonlySet<number> }
  | { readonly kind: "matching"; readonly search: string; readonly count: number };

/** What can be selected: each has a selection of its own. */
export type SelectionNoun = "license" | "bundle";

/** The rows that the list shows now, in their order, and the query of its filter. */
export interface SelectionPage {
  readonly noun: SelectionNoun;
  readonly ids: readonly number[];
  readonly search: string;
}

const none: Selection = { kind: "ids", ids: new Set() };

const selections: Record<SelectionNoun, Selection> = { license: none, bundle: none };
/** Where a range begins. */
const anchorIds: Record<SelectionNoun, number | null> = { license: null, bundle: null };
const listeners = new Set<() => void>();

function publish(noun: SelectionNoun, next: Selection): void {
  selections[noun] = next;
  for (const listener of listeners) listener();
}

/** What is selected stays so on the list's other pages, until it is cleared or acted on. */
export function useSelection(noun: SelectionNoun): Selection {
  return useSyncExternalStore(
    subscribe,
    () => selections[noun],
    () => none,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function isSelected(current: Selection, id: number, page: SelectionPage): boolean {
  return current.kind === "ids" ? current.ids.has(id) : current.search === page.search;
}

export function selectedCount(current: Selection): number {
  return current.kind === "ids" ? current.ids.size : current.count;
}

/** Selects a row or no longer; `range`: also all rows of the page between it and the one before. */
export function selectRow(id: number, on: boolean, page: SelectionPage, { range }: { readonly range: boolean }): void {
  const ids = new Set(idsOn(page));
  const [from, to] = [page.ids.indexOf(anchorIds[page.noun] ?? id), page.ids.indexOf(id)];
  const touched = range && from >= 0 ? page.ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  for (const one of touched) {
    if (on) ids.add(one);
    else ids.delete(one);
  }
  anchorIds[page.noun] = id;
  publish(page.noun, { kind: "ids", ids });
}

export function selectPage(on: boolean, page: SelectionPage): void {
  const ids = new Set(idsOn(page));
  for (const id of page.ids) {
    if (on) ids.add(id);
    else ids.delete(id);
  }
  publish(page.noun, { kind: "ids", ids });
}

/** Of everything that matches, what the page shows is all that is known by id. */
function idsOn(page: SelectionPage): Iterable<number> {
  const selection = selections[page.noun];
  if (selection.kind === "ids") return selection.ids;
  return selection.search === page.search ? page.ids : [];
}

export function selectMatching({ noun, search }: SelectionPage, count: number): void {
  publish(noun, { kind: "matching", search, count });
}

export function clearSelection(noun: SelectionNoun): void {
  anchorIds[noun] = null;
  publish(noun, none);
}

/** Everything that matched another filter is not what the list shows any more. */
export function leaveOtherMatch({ noun, search }: Pick<SelectionPage, "noun" | "search">): void {
  const selection = selections[noun];
  if (selection.kind === "matching" && selection.search !== search) clearSelection(noun);
}
