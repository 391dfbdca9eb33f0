import type { ReactNode } from "react";

/** Somewhere to go, or something to begin. */
export interface PaletteItem {
  readonly href: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon?: ReactNode;
}

export interface PaletteGroup {
  readonly label: string;
  readonly items: readonly PaletteItem[];
}

/** Whether each word that was typed begins a word of the label; nothing typed finds everything. */
export function matchesPalette(label: string, typed: string): boolean {
  const words = label.toLowerCase().split(/\s+/);
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** One step through so many options, around their ends. */
export function stepPalette(index: number, step: 1 | -1, count: number): number {
  return count === 0 ? 0 : (index + step + count) % count;
}
