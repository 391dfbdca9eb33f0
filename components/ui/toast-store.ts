"use client";
import { shareValue } from "./shared-value.ts";

export type ToastTone = "default" | "positive" | "critical";

export interface ToastInput {
  readonly title: string;
  readonly description?: string;
  readonly tone?: ToastTone;
  /** What it is about: a newer toast of the page about the same replaces it. */
  readonly subject?: string;
  /** One thing to do about it, e.g. undo. A toast with an action has no time limit (WCAG 2.2.1). */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

export interface ToastEntry extends ToastInput {
  readonly id: number;
  /** Path of the page that it is about. */
  readonly page: string;
}

const MOST_KEPT = 4;

const entries = shareValue<readonly ToastEntry[]>([]);
export const useToasts = entries.useValue;

let lastId = 0;
/** Raised by code that still runs and may open the page that they are about. */
const fresh = new Set<number>();

/**
 * Reports what happened, in the region that ToastRegion renders. Four are kept: those without an action go first. What
 * was said about the same subject goes in any case: its Undo would revert a value that is no longer there.
 */
export function toast(input: ToastInput): void {
  lastId += 1;
  const entry = { ...input, id: lastId, page: window.location.pathname };
  fresh.add(entry.id);
  window.setTimeout(() => fresh.delete(entry.id));
  const others = entries
    .get()
    .filter(({ subject, page }) => subject === undefined || subject !== entry.subject || page !== entry.page);
  const first = others.find(({ action }) => action === undefined) ?? others[0];
  const kept = others.length < MOST_KEPT ? others : others.filter((older) => older !== first);
  entries.set([...kept, entry]);
}

export function dismissToast(id: number): void {
  entries.set(entries.get().filter((entry) => entry.id !== id));
}

export function dismissAllToasts(): void {
  entries.set([]);
}

/** Dismisses what does not concern the page that comes. */
export function movePageOfToasts(pathname: string): void {
  entries.set(
    entries.get().flatMap((entry) => {
      if (fresh.has(entry.id)) return { ...entry, page: pathname };
      return entry.action && isSameObject(entry.page, pathname) ? entry : [];
    }),
  );
}

/** An object's pages lie below one another: /licenses, /licenses/7, /licenses/7/verifications. */
function isSameObject(page: string, other: string): boolean {
  return page === other || page.startsWith(`${other}/`) || other.startsWith(`${page}/`);
}
