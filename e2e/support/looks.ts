import { join } from "node:path";
import type { Page } from "@playwright/test";
import { endAnimations, findViolations } from "./axe.ts";
import { expect } from "./dashboard.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "screenshots");
/** Tests go on in the last. */
const THEMES = ["dark", "light"] as const;

/**
 * A page at rest, in both themes: axe finds nothing, and nothing is wider than the screen. With SCREENSHOTS=1 pictures
 * are kept in screenshots/.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  for (const theme of THEMES) {
    await showIn(page, theme);
    expect(await findViolations(page, theme === "light" ? "all" : "colors"), `${name} in ${theme}`).toEqual([]);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, `${name} fits the screen's width in ${theme}`).toBe(0);
  }
  expect(await cutOffTables(page), `${name} shows its tables whole`).toEqual([]);
  expect(await rowsWithoutPlace(page), `${name} places nothing by what Safari does not`).toEqual([]);
  if (process.env.SCREENSHOTS) await photograph(page, name);
  await inspectSmallScreens(page, name);
}

/**
 * The same page in a theme, its colors at their end at once: drawing each frame on the way there costs more than the rest
 * of the change.
 */
async function showIn(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await endAnimations(page);
}

/** Tables wider than the frame that they are in, unless they can be scrolled there: their last columns are not seen. */
function cutOffTables(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll("table"), (table) => {
      let frame = table.parentElement;
      while (frame && !/auto|scroll|hidden|clip/.test(getComputedStyle(frame).overflowX)) frame = frame.parentElement;
      const scrolls = frame && /auto|scroll/.test(getComputedStyle(frame).overflowX);
      const tooWide = frame && !scrolls && frame !== document.documentElement && table.offsetWidth > frame.clientWidth;
      return tooWide ? (table.getAttribute("aria-label") ?? "a table") : null;
    }).filter((label) => label !== null),
  );
}

/** Rows of tables to which only a position, which Safari ignores there, ties what is placed in them: a link's area. */
function rowsWithoutPlace(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll("tr, thead, tbody, tfoot"), (row) => {
      const { display, position, transform } = getComputedStyle(row);
      return display.startsWith("table-") && position === "relative" && transform === "none" ? row.outerHTML : null;
    }).filter((html) => html !== null),
  );
}

/** Whether what one sees is the page, and nothing that is open above it. */
function isPageAlone(page: Page): Promise<boolean> {
  return page.evaluate(() => document.querySelector("dialog[open], :popover-open") === null);
}

const SMALL_SCREENS = [1024, 1280];

async function inspectSmallScreens(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const smaller = SMALL_SCREENS.filter((screen) => screen < width);
  if (smaller.length === 0 || (await page.locator("table").count()) === 0 || !(await isPageAlone(page))) return;
  for (const screen of smaller) {
    await page.setViewportSize({ width: screen, height });
    expect(await cutOffTables(page), `${name} shows its tables whole on ${screen} pixels`).toEqual([]);
  }
  await page.setViewportSize({ width, height });
}

/** Pictures of what lies below the fold as well, unless something is open that belongs to what one sees. */
async function photograph(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const isAlone = await isPageAlone(page);
  // axe scrolls; what is open belongs to what has the focus.
  if (!isAlone) await page.evaluate(() => document.activeElement?.scrollIntoView({ block: "nearest" }));
  const whole = isAlone ? await page.evaluate(() => document.documentElement.scrollHeight) : 0;
  await page.setViewportSize({ width, height: Math.max(whole, height) });
  for (const theme of THEMES) {
    await showIn(page, theme);
    await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${width}.png`) });
  }
  await page.setViewportSize({ width, height });
}
