"use client";
import { shareValue } from "#components/ui/shared-value.ts";
import type { SelectionOwner } from "./license-change.ts";

/** Whose a row is; null in a reseller's own list. */
type Owner = SelectionOwner | null;

/** Rows by their ids, or all that match the list's filter, whose query `search` is. */
export type Selection =
  | { readonly kind: "ids"; readonly ids: ReadonlyMap<number, Owner> }
  | { readonly kind: "matching"; readonly search: string; readonly count: number };

/** What can be selected: each has a selection of its own. */
export type SelectionNoun = "license" | "bundle";

/** The rows that the list shows now, in their order, and the query of its filter. */
export interface SelectionPage {
  readonly noun: SelectionNoun;
  readonly ids: readonly number[];
  /** Of each row, in an admin's list. */
  readonly owners?: readonly SelectionOwner[];
  readonly search: string;
}

const none: Selection = { kind: "ids", ids: new Map() };

/** What is selected stays so on the list's other pages, until it is cleared or acted on. */
const selections = { license: shareValue<Selection>(none), bundle: shareValue<Selection>(none) };
/** Where a range begins. */
const anchorIds: Record<SelectionNoun, number | null> = { license: null, bundle: null };

export function useSelection(noun: SelectionNoun): Selection {
  return selections[noun].useValue();
}

export function isSelected(current: Selection, id: number, page: SelectionPage): boolean {
  return current.kind === "ids" ? current.ids.has(id) : current.search === page.search;
}

export function selectedCount(current: Selection): number {
  return current.kind === "ids" ? current.ids.size : current.count;
}

/** Selects a row or no longer; `range`: also all rows of the page between it and the one before. */
export function selectRow(id: number, on: boolean, page: SelectionPage, { range }: { readonly range: boolean }): void {
  const ids = new Map(rowsOn(page));
  const [from, to] = [page.ids.indexOf(anchorIds[page.noun] ?? id), page.ids.indexOf(id)];
  const touched = range && from >= 0 ? page.ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  for (const one of touched) {
    if (on) ids.set(one, ownerOf(one, page));
    else ids.delete(one);
  }
  anchorIds[page.noun] = id;
  selections[page.noun].set({ kind: "ids", ids });
}

export function selectPage(on: boolean, page: SelectionPage): void {
  const ids = new Map(rowsOn(page));
  for (const id of page.ids) {
    if (on) ids.set(id, ownerOf(id, page));
    else ids.delete(id);
  }
  selections[page.noun].set({ kind: "ids", ids });
}

/** Of everything that matches, what the page shows is all that is known by id. */
function rowsOn(page: SelectionPage): Iterable<[number, Owner]> {
  const selection = selections[page.noun].get();
  if (selection.kind === "ids") return selection.ids;
  return selection.search === page.search ? page.ids.map((id) => [id, ownerOf(id, page)]) : [];
}

function ownerOf(id: number, { ids, owners }: SelectionPage): Owner {
  return owners?.[ids.indexOf(id)] ?? null;
}

/** The resellers of what is selected, those with the most first. */
export function ownersOf(current: Selection): { readonly owner: SelectionOwner; readonly count: number }[] {
  if (current.kind !== "ids") return [];
  const groups = Map.groupBy(current.ids.values(), (owner) => owner?.id);
  return [...groups.values()]
    .flatMap(([owner, ...more]) => (owner ? [{ owner, count: more.length + 1 }] : []))
    .sort((a, b) => b.count - a.count);
}

/** Keeps what is selected of one reseller. */
export function narrowTo(noun: SelectionNoun, { id }: SelectionOwner): void {
  const selection = selections[noun].get();
  if (selection.kind !== "ids") return;
  selections[noun].set({ kind: "ids", ids: new Map([...selection.ids].filter(([, owner]) => owner?.id === id)) });
}

export function selectMatching({ noun, search }: SelectionPage, count: number): void {
  selections[noun].set({ kind: "matching", search, count });
}

export function clearSelection(noun: SelectionNoun): void {
  anchorIds[noun] = null;
  selections[noun].set(none);
}

/** Everything that matched another filter is not what the list shows any more. */
export function leaveOtherMatch({ noun, search }: Pick<SelectionPage, "noun" | "search">): void {
  const selection = selections[noun].get();
  if (selection.kind === "matching" && selection.search !== search) clearSelection(noun);
}
