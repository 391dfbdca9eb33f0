"use client";

export type ToastTone = "default" | "positive" | "critical";

export interface ToastInput {
  readonly title: string;
  readonly description?: string;
  readonly tone?: ToastTone;
  /** One thing to do about it, e.g. undo. A toast with an action stays until it is dismissed (WCAG 2.2.1). */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

export interface ToastEntry extends ToastInput {
  readonly id: number;
}

const MOST_SHOWN = 4;
const none: readonly ToastEntry[] = [];

let entries = none;
let lastId = 0;
const listeners = new Set<() => void>();

function publish(next: readonly ToastEntry[]): void {
  entries = next;
  for (const listener of listeners) listener();
}

/** Says what happened, in the region that ToastRegion renders. The newest four are kept. */
export function toast(input: ToastInput): void {
  lastId += 1;
  publish([...entries, { ...input, id: lastId }].slice(-MOST_SHOWN));
}

export function dismissToast(id: number): void {
  publish(entries.filter((entry) => entry.id !== id));
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToasts(): readonly ToastEntry[] {
  return entries;
}

export function noToasts(): readonly ToastEntry[] {
  return none;
}
