import type { Browser } from "@playwright/test";

/** Less than the 15 s that a test waits for what it expects. */
const EVERY_MS = 10_000;
/** The corner of what is on the screen, as it is: nothing is hidden or stopped for the picture. */
const A_PIXEL = {
  clip: { x: 0, y: 0, width: 1, height: 1 },
  caret: "initial",
  animations: "allow",
  timeout: 5_000,
} as const;

/**
 * Asks the pages of a browser for a pixel now and then.
 *
 * In one of some 1,500 tests a page answers Playwright nothing for as long as the test waits, wherever it is, and at
 * once when a picture is taken of what failed. So pictures are taken while there is time.
 * @returns what ends it.
 */
export function keepAwake(browser: Browser): () => void {
  const timer = setInterval(() => {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      // Only asking matters: the page may be closed meanwhile, or wait for a server.
      page.screenshot(A_PIXEL).catch(() => undefined);
    }
  }, EVERY_MS);
  return () => clearInterval(timer);
}
