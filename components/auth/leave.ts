import { forgetRecent } from "#components/shell/palette-recent.ts";
import { toast } from "#components/ui/toast-store.ts";

/** By it tabs hear whose session the browser has now: its owner, or null for nobody. */
export const OWNER_CHANNEL = "license-desk-owner";

/**
 * Signs out by loading a page, so that nothing of the session stays in the browser's memory or storage. Without an
 * answer the page stays: the next one would open again by the same session.
 */
export async function leave(signOut: () => Promise<void>): Promise<void> {
  try {
    await signOut();
  } catch {
    toast({
      title: "You may still be signed in",
      description: "Signing out got no answer. Try again before you leave this computer.",
      tone: "critical",
      subject: "sign-out",
      action: { label: "Try again", onSelect: () => void leave(signOut) },
    });
    return;
  }
  forgetRecent();
  // Once this page is gone, so that it does not show itself what the others have to show.
  window.addEventListener("pagehide", () => new BroadcastChannel(OWNER_CHANNEL).postMessage(null), { once: true });
  window.location.assign("/sign-in");
}
