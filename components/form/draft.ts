"use client";
import { toast } from "#components/ui/toast-store.ts";
import { fillControl, labelOf, listControls, readControl } from "./draft-controls.ts";

/** What was filled in when the session turned out to have ended. */
interface Draft {
  readonly path: string;
  /** Nobody else who signs in here gets to see it. */
  readonly user: string;
  readonly keptAtMs: number;
  /** The button that opened the dialog; "" for a form on the page. */
  readonly opener: string;
  readonly fields: readonly (readonly [name: string, value: string | boolean])[];
}

const STORAGE_KEY = "form-draft";
const KEPT_MS = 3_600_000;
/** A choice may bring further fields, and a button its dialog: they are waited for that long. */
const FRAMES = 180;
/** A button that React has not taken over yet is pressed again. */
const FRAMES_BETWEEN_PRESSES = 60;

let current: { readonly draft: Draft; readonly remaining: Map<string, string | boolean> } | null = null;
let framesLeft = 0;

/** Keeps what is filled in, in this tab alone, until the same user comes back to this page. Never secrets. */
export function keepDraft(): void {
  const dialog = document.querySelector<HTMLElement>("dialog[open]");
  const draft: Draft = {
    path: currentPath(),
    user: currentUser(),
    keptAtMs: Date.now(),
    opener: dialog?.dataset.opener ?? "",
    fields: [...listControls()].map(([name, control]) => [name, readControl(control)]),
  };
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(draft));
  } catch {
    // Storage is full, or refused: the form is then filled in by hand.
  }
}

/** Fills a page's forms as they were. Called by each form when it is there: a dialog's comes later than its page's. */
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
  const closed = draft.opener !== "" && document.querySelector("dialog[open]") === null;
  if (closed && framesLeft % FRAMES_BETWEEN_PRESSES === FRAMES_BETWEEN_PRESSES - 1) press(draft.opener);
  const controls = listControls();
  for (const [name, value] of remaining) {
    const control = controls.get(name);
    if (control === undefined) continue;
    fillControl(control, value);
    remaining.delete(name);
  }
  if (remaining.size === 0) framesLeft = 1;
  requestAnimationFrame(fillNext);
}

function press(label: string): void {
  const buttons = [...document.querySelectorAll<HTMLElement>("main button")];
  buttons.find((button) => labelOf(button) === label)?.click();
}

function currentPath(): string {
  return `${window.location.pathname}${window.location.search}`;
}

function currentUser(): string {
  return document.querySelector<HTMLElement>("main")?.dataset.user ?? "";
}
