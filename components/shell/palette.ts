import type { ReactNode } from "react";
import type { LicenseStatus } from "#lib/domain/license-status.ts";
import { toSearchWords } from "#lib/domain/search-text.ts";
import { type FoundKind, foundKinds } from "./found-kinds.tsx";

/** Somewhere to go, or something to begin. */
export interface PaletteItem {
  readonly href: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon?: ReactNode;
  /** Other words for it. */
  readonly synonyms?: string;
}

/** An object that was searched for. */
export interface FoundItem extends Pick<PaletteItem, "href" | "label" | "detail"> {
  readonly kind: FoundKind;
  readonly status?: LicenseStatus;
  /** Free text in which a word may have been found. */
  readonly notes?: string;
}

export interface PaletteGroup {
  readonly label: string;
  readonly items: readonly (PaletteItem & Pick<FoundItem, "status" | "notes">)[];
}

/** Whether each word that was typed begins a word of the label or a synonym; nothing typed finds everything. */
export function matchesPalette({ label, synonyms = "" }: PaletteItem, typed: string): boolean {
  const words = `${label} ${synonyms}`.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** Whether an earlier answer is certainly one to this text, too. */
export function stillMatches({ label, detail = "", notes = "" }: FoundItem, typed: string): boolean {
  const shown = `${label} ${detail} ${notes}`.toLowerCase();
  const words = toSearchWords(typed);
  return words.length > 0 && words.every(({ beginning }) => shown.includes(beginning));
}

/** By kind, in order. */
export function groupFound(found: readonly FoundItem[]): readonly PaletteGroup[] {
  return [...Map.groupBy(found, ({ kind }) => kind)].map(([kind, items]) => {
    const { label, icon } = foundKinds[kind];
    return { label, items: items.map((item) => ({ ...item, icon })) };
  });
}

/** One step through so many options, around their ends. */
export function stepPalette(index: number, step: 1 | -1, count: number): number {
  return count === 0 ? 0 : (index + step + count) % count;
}
