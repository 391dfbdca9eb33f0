"use client";
import { useLayoutEffect } from "react";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What is done before React listens. */
interface Early {
  readonly changed: ReadonlySet<Control>;
  readonly last?: Event;
  handleEvent(event: Event): void;
}

const kinds = ["click", "input", "keydown"];
/** Runs before all other scripts, and hears of each event first: React stops those that it cannot answer yet. */
const KEEP = `
window.early = {
  changed: new Set(),
  handleEvent(event) {
    this.last = event;
    if (event.type === "input") this.changed.add(event.target);
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
  useLayoutEffect(() => {
    const page = window as { early?: Early };
    const { early } = page;
    if (early === undefined) return;
    delete page.early;
    for (const kind of kinds) removeEventListener(kind, early, true);
    const { last, changed } = early;
    // A press can be what makes React listen: it then answers this press itself.
    const pressed = last?.type === "click" && last.eventPhase === Event.NONE ? (last.target as Element) : null;
    const button = pressed?.closest("button");
    const label = button?.textContent;
    setTimeout(() => {
      for (const control of changed) tellReact(control);
      // A form may cost something else by now than its button said.
      setTimeout(() => {
        if (button && (button.type !== "submit" || button.textContent === label)) press(button);
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

/** Repeats a change: React takes what it finds in a control for what it rendered, and would go on without it. */
function tellReact(control: Control): void {
  if (control instanceof HTMLSelectElement || control.type === "file") {
    control.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (control.type === "radio" || control.type === "checkbox") {
    const { checked, type } = control as HTMLInputElement;
    if (type === "radio" && !checked) return;
    Object.assign(control, { checked: !checked });
    control.click();
  } else {
    const { value, selectionStart, selectionEnd } = control;
    // React notes what is assigned to the control's own property; this one changes it without React's knowledge.
    control.value = control.defaultValue;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), "value")?.set?.call(control, value);
    // The caret is at the end now. Null: this type does not say where it was.
    if (selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd);
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

function press(button: HTMLButtonElement): void {
  // Opened by the browser, without React.
  if (button.popoverTargetElement instanceof HTMLElement) button.popoverTargetElement.hidePopover();
  button.click();
}
