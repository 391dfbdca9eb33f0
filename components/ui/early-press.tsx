"use client";
import { useLayoutEffect } from "react";

/** What is done before React listens. */
interface Early {
  last?: Event;
  handleEvent(event: Event): void;
}

const kinds = ["click", "input"];
/** Runs before all other scripts, and hears of each event first: React stops those that it cannot answer yet. */
const KEEP = `
window.early = { handleEvent(event) { this.last = event } };
for (const kind of ${JSON.stringify(kinds)}) addEventListener(kind, early, true);
`;

/**
 * The page is seen before its scripts have loaded. A button pressed in that time does what it says once they have,
 * unless the user has done something else since.
 * @param nonce of the page's policy
 */
export function EarlyPress({ nonce }: { readonly nonce: string | undefined }) {
  useLayoutEffect(() => {
    const page = window as { early?: Early };
    const { early } = page;
    if (early === undefined) return;
    delete page.early;
    for (const kind of kinds) removeEventListener(kind, early, true);
    // A press can be what makes React listen: it then answers this press itself.
    if (early.last?.type === "click" && early.last.eventPhase === Event.NONE) setTimeout(repeat, 0, early.last.target);
  }, []);
  return (
    // Browsers hide the nonce from scripts.
    <script nonce={nonce} suppressHydrationWarning>
      {KEEP}
    </script>
  );
}

function repeat(pressed: Element): void {
  const button = pressed.closest("button");
  // Opened by the browser, without React.
  if (button?.popoverTargetElement instanceof HTMLElement) button.popoverTargetElement.hidePopover();
  button?.click();
}
