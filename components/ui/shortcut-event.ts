"use client";

const STORAGE_KEY = "keyboard-shortcuts";

/** Single-key shortcuts can be switched off (WCAG 2.1.4); the choice stays in this browser. */
export function areShortcutsOn(): boolean {
  return window.localStorage.getItem(STORAGE_KEY) !== "off";
}

export function setShortcutsOn(on: boolean): void {
  window.localStorage.setItem(STORAGE_KEY, on ? "on" : "off");
}

/** False while typing (a checkbox takes no letters), in a dialog or menu, with a modifier held, or with shortcuts switched off. */
export function isShortcutEvent(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const { target } = event;
  if (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input:not([type=checkbox]), textarea, select, [role=menu]"))
  ) {
    return false;
  }
  return document.querySelector("dialog[open]") === null && areShortcutsOn();
}
