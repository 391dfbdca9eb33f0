"use client";
import { useEffect } from "react";

/**
 * Once a page, in the shell. Where the control that has the focus leaves the page, as with a row that leaves its list
 * after its own action, the browser drops the focus. This gives it to the same control of what took that place or is
 * beside it, the next row first; without any, to the part of the page around it. Another page begins without a focus.
 * A pointer's focus of a button or link is not kept: it could open a phone's keyboard or keep a notification open. Nor
 * is focus within the notifications: the next one's button in the same place may be Undo.
 */
export function KeptFocus() {
  useEffect(() => {
    let last: Element | null = null;
    let pathname = "";
    function remember({ target }: FocusEvent) {
      last = (target as Element).matches(":focus-visible") ? (target as Element) : null;
      pathname = window.location.pathname;
    }
    function forget({ target }: FocusEvent) {
      // Some browsers also send it while the element is being removed: afterwards it is known whether it was.
      queueMicrotask(() => {
        if (last === target && last?.isConnected && last !== document.activeElement) last = null;
      });
    }
    const observer = new MutationObserver((records) => {
      const lost = last;
      if (lost === null || lost.isConnected) return;
      last = null;
      if (document.activeElement !== document.body || window.location.pathname !== pathname) return;
      const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(lost)));
      if (record) moveFocus(lost, record);
    });
    document.addEventListener("focusin", remember);
    document.addEventListener("focusout", forget);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", remember);
      document.removeEventListener("focusout", forget);
      observer.disconnect();
    };
  }, []);
  return null;
}

function moveFocus(lost: Element, { removedNodes, previousSibling, target }: MutationRecord): void {
  const around = (target as Element).closest<HTMLElement>("section, dialog, main");
  if (around === null || around.ariaLive !== null) return;
  const removed = [...removedNodes].find((node) => node.contains(lost));
  const index = removed instanceof Element ? controlsOf(removed).indexOf(lost as HTMLElement) : -1;
  const siblings = [...target.childNodes];
  const at = previousSibling === null ? 0 : siblings.indexOf(previousSibling as ChildNode) + 1;
  for (const sibling of [...siblings.slice(at), ...siblings.slice(0, at).reverse()]) {
    const controls = sibling instanceof Element ? controlsOf(sibling) : [];
    const control = [controls[index], ...controls].find(
      (one) => one?.matches(":not(:disabled)") && one.checkVisibility(),
    );
    if (control) {
      control.focus({ preventScroll: true });
      return;
    }
  }
  around.tabIndex = -1;
  around.focus({ preventScroll: true, focusVisible: false } as FocusOptions);
}

/** With the element itself, in the page's order. */
function controlsOf(element: Element): HTMLElement[] {
  const selector = 'a[href], button:not([tabindex="-1"]), input, select, textarea, summary';
  const inside = [...element.querySelectorAll<HTMLElement>(selector)];
  return element instanceof HTMLElement && element.matches(selector) ? [element, ...inside] : inside;
}
