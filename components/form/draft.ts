"use client";
import { toast } from "#components/ui/toast-store.ts";
import { fillControl, listControls, readControl } from "./draft-controls.ts";
import { findOpener, isOpened, type Opener, pressOpener } from "./draft-opener.ts";

/** What was filled in when the session turned out to have ended. */
interface Draft {
  readonly path: string;
  /** Nobody else who signs in here gets to see it. */
  readonly user: string;
  readonly keptAtMs: number;
  /** Empty for a form on the page. */
  readonly opener: Opener;
  readonly fields: readonly (readonly [name: string, value: string | boolean])[];
  /** By the names of `keepWithDrafts`. */
  readonly parts: Readonly<Record<string, unknown>>;
}

/** What a form depends on and no control shows, as JSON can hold it. */
export interface DraftPart {
  readonly read: () => unknown;
  readonly restore: (kept: unknown) => void;
}

const partsByName = new Map<string, DraftPart>();

/** From now on, each draft has this with it. */
export function keepWithDrafts(name: string, part: DraftPart): void {
  partsByName.set(name, part);
}

const STORAGE_KEY = "draft";
const KEPT_MS = 3_600_000;
/** A choice may bring further fields, and a button its dialog: they are waited for that long. */
const FRAMES = 180;
/** A button that React has not taken over yet is pressed again. */
const FRAMES_BETWEEN_PRESSES = 60;

let current: { readonly draft: Draft; readonly remaining: Map<string, string | boolean> } | null = null;
let framesLeft = 0;

/** Keeps what is filled in, in this tab alone, until the same user comes back to this page. Never secrets. */
export function keepDraft(): void {
  const draft: Draft = {
    path: currentPath(),
    user: currentUser(),
    keptAtMs: Date.now(),
    opener: findOpener(),
    fields: [...listControls()].map(([name, control]) => [name, readControl(control)]),
    parts: Object.fromEntries([...partsByName].map(([name, part]) => [name, part.read()])),
  };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
  } catch {
    // Storage is full, or refused: the form is then filled in by hand.
  }
}

/** Fills a page's forms as they were, and opens what was open. To be called when a page is there. */
export function restoreDraft(): void {
  current ??= begin();
  if (current === null) return;
  const idle = framesLeft === 0;
  framesLeft = FRAMES;
  if (idle) requestAnimationFrame(fillNext);
}

function begin(): typeof current {
  const draft = takeDraft();
  if (draft === null) return null;
  for (const [name, part] of partsByName) {
    if (name in draft.parts) part.restore(draft.parts[name]);
  }
  toast({ title: "What you had filled in is back", description: "Nothing was sent while you were signed out." });
  return { draft, remaining: new Map(draft.fields) };
}

function takeDraft(): Draft | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? "null") as Draft | null;
    if (draft === null || draft.path !== currentPath()) return null;
    sessionStorage.removeItem(STORAGE_KEY);
    return draft.user === currentUser() && Date.now() - draft.keptAtMs < KEPT_MS ? draft : null;
  } catch {
    return null;
  }
}

/** One pass a frame: what React shows for it is there in the next. */
function fillNext(): void {
  framesLeft -= 1;
  if (current === null || currentPath() !== current.draft.path || framesLeft <= 0) {
    current = null;
    framesLeft = 0;
    return;
  }
  const { draft, remaining } = current;
  const closed = draft.opener.length > 0 && !isOpened(draft.opener);
  if (closed) pressOpener(draft.opener, framesLeft % FRAMES_BETWEEN_PRESSES === FRAMES_BETWEEN_PRESSES - 1);
  const controls = listControls();
  for (const [name, value] of remaining) {
    const control = controls.get(name);
    if (control === undefined) continue;
    fillControl(control, value);
    remaining.delete(name);
  }
  if (remaining.size === 0 && !closed) framesLeft = 1;
  requestAnimationFrame(fillNext);
}

function currentPath(): string {
  return `${window.location.pathname}${window.location.search}`;
}

function currentUser(): string {
  return document.querySelector<HTMLElement>("main")?.dataset.user ?? "";
}
