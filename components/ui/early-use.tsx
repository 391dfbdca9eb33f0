"use client";
import { useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A control as its user left it. */
interface Change {
  readonly control: Control;
  readonly value: string;
  /** Undefined: it has no such state. */
  readonly checked: boolean | undefined;
}

/** What is done before React listens. */
interface Early {
  /** By control. Radio buttons of one name share a place: the last one counts. */
  readonly changes: ReadonlyMap<Control | string, Change>;
  /** The button pressed last, and what it said; null if something else has been done since. */
  readonly pressed?: { readonly button: HTMLButtonElement; readonly label: string } | null;
  handleEvent(event: Event): void;
}

const kinds = ["click", "input", "keydown"];
/**
 * Runs before all other scripts and receives each event first. It holds presses of buttons, which React would handle
 * with the state it rendered, before the changes are replayed.
 */
const KEEP = `
window.early = {
  changes: new Map(),
  handleEvent(event) {
    const button = event.type === "click" ? event.target.closest("button") : null;
    this.pressed = button && { button, label: button.textContent };
    if (button) event.stopImmediatePropagation();
    if (button?.type === "submit") event.preventDefault();
    if (event.type !== "input") return;
    const { target: control } = event;
    const { type, name, value, checked } = control;
    this.changes.set(type === "radio" ? name : control, { control, value, checked });
  },
};
for (const kind of ${JSON.stringify(kinds)}) addEventListener(kind, early, true);
`;

/**
 * The page is seen before its scripts have loaded. What is chosen or typed in that time counts once they have, and a
 * button pressed in it then does what it says, unless the user has done something else since or it says something else.
 * @param nonce of the page's policy
 */
export function EarlyUse({ nonce }: { readonly nonce: string | undefined }) {
  const [, setReplaying] = useState(false);
  useLayoutEffect(() => {
    const page = window as { early?: Early };
    const { early } = page;
    if (early === undefined) return;
    delete page.early;
    setTimeout(() => {
      // Runs effects that React has put off: until a list's have run, it does not hear of its own changes.
      flushSync(() => setReplaying(true));
      for (const kind of kinds) removeEventListener(kind, early, true);
      // Before the first is replayed: React renders the whole form for each.
      const changes = [...early.changes.values()].map((change) => {
        const { selectionStart: start, selectionEnd: end } = change.control as HTMLInputElement;
        return { ...change, caret: { start, end } };
      });
      for (const change of changes) replayChange(change);
      // What was replayed has moved it to the end. React has rendered by then, and no key has been pressed since.
      queueMicrotask(() => {
        for (const { control, value, caret } of changes)
          if (typeof caret.start === "number" && control.value === value)
            (control as HTMLInputElement).setSelectionRange(caret.start, caret.end);
      });
      const { pressed } = early;
      if (!pressed) return;
      const { button, label } = pressed;
      // A choice may no longer exist by now, or cost something else than the button said.
      setTimeout(() => {
        if (button.type !== "submit" || (button.textContent === label && changes.every(isShown))) press(button);
      });
    });
  }, []);
  return (
    // Browsers hide the nonce from scripts.
    <script nonce={nonce} suppressHydrationWarning>
      {KEEP}
    </script>
  );
}

function isShown({ control, value, checked }: Change): boolean {
  return control.isConnected && control.value === value && (control as HTMLInputElement).checked === checked;
}

/**
 * Repeats a change: React takes what it finds in a control for what it rendered, and would go on without it. It may
 * have reset the control since, because it renders the whole form for each repeated change.
 */
function replayChange({ control, value, checked }: Change): void {
  if (control instanceof HTMLSelectElement || control.type === "file") {
    if (control.type !== "file") control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (control instanceof HTMLInputElement && /^(?:radio|checkbox)$/.test(control.type)) {
    const isBack = control.type === "checkbox" && checked === control.defaultChecked;
    control.checked = isBack ? checked : !checked;
    if (!isBack) control.click();
  } else {
    // React notes what is assigned to the control's own property; this one changes it without React's knowledge.
    control.value = control.defaultValue;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function press(button: HTMLButtonElement): void {
  // Opened by the browser, without React.
  if (button.popoverTargetElement instanceof HTMLElement) button.popoverTargetElement.hidePopover();
  button.click();
}
