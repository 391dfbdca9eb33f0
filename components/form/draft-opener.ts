"use client";

/** Labels of what was pressed, one after the other, until a dialog or an editor was open: `["More actions", "Rotate secret…"]`. */
export type Opener = readonly string[];

/** Of the newest press outside dialogs: while one is open, it is the one that has opened it. */
let pressed: Opener = [];

/** Hears what is pressed, by pointer or by key. Returns how to stop. */
export function watchOpeners(): () => void {
  document.addEventListener("click", note, { capture: true });
  return () => document.removeEventListener("click", note, { capture: true });
}

function note({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button === null || button.closest("dialog") !== null) return;
  const menu = button.closest("[role=menu]");
  const trigger = menu && document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`);
  pressed = trigger ? [labelOf(trigger), labelOf(button)] : [labelOf(button)];
}

/** How to come back to the dialog that is open, or to the form that edits in place; empty: there is none. */
export function findOpener(): Opener {
  if (document.querySelector("dialog[open]") !== null) return pressed;
  const editor = document.querySelector<HTMLElement>("main form[data-opener]");
  return editor?.dataset.opener === undefined ? [] : [editor.dataset.opener];
}

/** Whether what it leads to is there. */
export function isOpened([first = ""]: Opener): boolean {
  return document.querySelector(`dialog[open], main form[data-opener="${CSS.escape(first)}"]`) !== null;
}

/** The item, once its menu is open; else, when asked to, what comes first. */
export function pressOpener([first, item]: Opener, fromTheStart: boolean): void {
  const menu = item === undefined ? null : document.querySelector("main [role=menu]:popover-open");
  if (menu !== null) pressIn(menu, item);
  else if (fromTheStart) pressIn(document.querySelector("main"), first);
}

function pressIn(place: Element | null, label: string | undefined): void {
  [...(place?.querySelectorAll("button") ?? [])].find((button) => labelOf(button) === label)?.click();
}

/** How a button is called. */
function labelOf(element: Element): string {
  return (element.ariaLabel ?? element.textContent).trim();
}
