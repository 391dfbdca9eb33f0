"use client";

export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const CONTROLS = ["input", "textarea", "select"]
  .flatMap((tag) => [`main form ${tag}`, `dialog[open] ${tag}`])
  .join(", ");
/** A switch takes effect at once: filled in again, it would act by itself. */
const NEVER_KEPT = "[type=password], [type=hidden], [type=file], [role=switch], [autocomplete=one-time-code]";
const SECRET_NAME = /secret|password|token|api_?key|credential/i;

/** What a person fills in on this page, in its forms and its open dialog, by a name that is the same after a reload. */
export function listControls(): ReadonlyMap<string, Control> {
  const found = new Map<string, Control>();
  const counts = new Map<string, number>();
  for (const control of document.querySelectorAll<Control>(CONTROLS)) {
    const name = control.name || control.ariaLabel || control.labels?.[0]?.textContent || "";
    if (name === "" || control.matches(NEVER_KEPT) || SECRET_NAME.test(name)) continue;
    const base = isChoice(control) ? `${name}=${control.value}` : name;
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    found.set(count === 0 ? base : `${base} ${count}`, control);
  }
  return found;
}

export function readControl(control: Control): string | boolean {
  return isChoice(control) ? control.checked : control.value;
}

/** As if the person did it, so that React hears of it. A radio button is never switched off. */
export function fillControl(control: Control, value: string | boolean): void {
  if (readControl(control) === value) return;
  if (isChoice(control)) {
    if (value === true || control.type === "checkbox") control.click();
    return;
  }
  const prototype = Object.getPrototypeOf(control);
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(control, value);
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
}

function isChoice(control: Control): control is HTMLInputElement {
  return control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio");
}
