import { forgetRecent } from "#components/shell/palette-recent.ts";

/** Signs out by loading a page, so that nothing of the session stays in the browser's memory or storage. */
export async function leave(signOut: () => Promise<void>): Promise<void> {
  try {
    await signOut();
  } finally {
    forgetRecent();
    window.location.assign("/sign-in");
  }
}
