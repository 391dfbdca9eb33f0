import type { Browser } from "@playwright/test";

const EVERY_MS = 5_000;
/** The corner of what is on the screen, as it is: nothing is hidden or stopped for the picture. */
const A_PIXEL = {
  clip: { x: 0, y: 0, width: 1, height: 1 },
  caret: "initial",
  animations: "allow",
} as const;

/**
 * Asks the pages of a browser for a pixel now and then, and says which was slow to give it.
 *
 * In one of some 1,500 tests a page answers Playwright nothing for as long as the test waits, wherever it is, and at
 * once when a picture is taken of what failed. So pictures are taken while there is time.
 * @returns what ends it.
 */
export function keepAwake(browser: Browser): () => void {
  let asking = false;
  const ask = async () => {
    if (asking) return;
    asking = true;
    const pages = browser.contexts().flatMap((context) => context.pages());
    await Promise.all(
      pages.map(async (page) => {
        const askedAt = performance.now();
        await page.screenshot({ ...A_PIXEL, timeout: EVERY_MS }).catch(() => undefined);
        const seconds = (performance.now() - askedAt) / 1000;
        if (seconds > 2) process.stderr.write(`${page.url()} took ${seconds.toFixed(1)} s to show a pixel.\n`);
      }),
    );
    asking = false;
  };
  const timer = setInterval(ask, EVERY_MS);
  return () => clearInterval(timer);
}
