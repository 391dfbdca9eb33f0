import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";

type RunOptions = Parameters<typeof axe.run>[1];

/** Without comments and long names: the page is given less than half. */
const SCRIPT = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Of these alone the answer depends on the theme, which changes nothing but colors. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Moves all animations to their end at once, such as a toast's as it appears. A spinner never ends. */
export async function endAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const moving = () =>
      document.getAnimations().filter(({ effect, playState }) => {
        const ends = effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
        return ends && playState !== "finished";
      });
    // The end of one may begin another: what inherits a color follows it. One that begins again each time is left.
    for (let round = 0; round < 10; round += 1) {
      const animations = moving();
      for (const animation of animations) animation.finish();
      await Promise.allSettled(animations.map(({ finished }) => finished));
    }
  });
}

/**
 * What axe finds wrong on the page, each rule with where it is broken. Its script is put into a page once, and it is asked
 * for nothing but violations: with all that is in order it takes three times as long. No page has frames.
 */
export async function findViolations(page: Page, rules: "all" | "colors" = "all"): Promise<string[]> {
  const isThere = await page.evaluate(() => {
    // Below the top, the header covers what has been scrolled under it.
    window.scrollTo({ top: 0, behavior: "instant" });
    return "axe" in window;
  });
  if (!isThere) await page.evaluate(SCRIPT);
  await endAnimations(page);
  const options: RunOptions = {
    resultTypes: ["violations"],
    // For the rule about audio. Of the others none reads style sheets, which axe would fetch and parse each time.
    preload: { assets: ["media"] },
    runOnly: rules === "all" ? { type: "tag", values: RULES } : { type: "rule", values: COLOR_RULES },
  };
  return page.evaluate(async (asked) => {
    const { violations } = await (globalThis as unknown as { axe: typeof import("axe-core") }).axe.run(
      document,
      asked as object,
    );
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  }, options);
}
