/** Each dashboard page in a browser with a CPU slowed down four times: script, paint, shift and interactions. */
import { readdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { browserLaunchOptions, findBrowser } from "../scripts/browser.ts";
import { type PageFigure, percentile } from "./pages-report.ts";
import type { PagesWorld } from "./pages-world.ts";

const SLOW_DOWN = 4;
const LIMITS = { scriptKb: 200, paintMs: 1_000, shift: 0, reactionMs: 100 };
const BYTES_PER_KB = 1000;
/** A page is idle after this long without loading or moving. */
const QUIET_MS = 500;

interface Visit {
  readonly scriptKb: number;
  readonly paintMs: number;
  readonly shift: number;
  /** Start of the text that moved. */
  readonly shifted: string;
  readonly reactionMs: number;
}

/** Entry types that TypeScript does not have. */
interface EntryDetail {
  readonly value?: number;
  readonly hadRecentInput?: boolean;
  readonly interactionId?: number;
  readonly sources?: readonly { readonly node?: Node | null }[];
}

/** Collects the browser's performance entries from the page's first byte on. */
function observe(): void {
  const seen = { paintMs: 0, shift: 0, shifted: "", reactionMs: 0 };
  Object.assign(globalThis, { licenseDeskSeen: seen });
  const watch = (type: string, take: (entry: PerformanceEntry & EntryDetail) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  watch("largest-contentful-paint", (entry) => {
    seen.paintMs = entry.startTime;
  });
  watch("layout-shift", (entry) => {
    if (entry.hadRecentInput) return;
    seen.shift += entry.value ?? 0;
    const nodes = (entry.sources ?? []).map(
      ({ node }) => `${node?.nodeName}: ${node?.textContent?.trim().slice(0, 24)}`,
    );
    seen.shifted = nodes.slice(0, 2).join(", ");
  });
  watch("event", (entry) => {
    if ((entry.interactionId ?? 0) > 0) seen.reactionMs = Math.max(seen.reactionMs, entry.duration);
  });
}

/**
 * The pages below app/(dashboard), with examples for `[…]`.
 * @throws if one has none
 */
export function listPages(
  examples: Readonly<Record<string, string>>,
): { readonly route: string; readonly path: string }[] {
  const folder = join(import.meta.dirname, "..", "app", "(dashboard)");
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(`${sep}page.tsx`))
    .map((file) => `/${dirname(file).split(sep).join("/")}`.replaceAll(/\/\([^/]+\)/g, ""))
    .sort()
    .map((route) => {
      const path = route.includes("[") ? examples[route] : route;
      if (path === undefined) throw new Error(`There is no example of ${route} (bench/pages-examples.ts).`);
      return { route, path };
    });
}

/** Null: the role has no such page. */
async function visit(context: BrowserContext, url: string): Promise<Visit | null> {
  const page = await context.newPage();
  try {
    await page.addInitScript(observe);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
    const response = await page.goto(url, { waitUntil: "load" });
    await page.waitForLoadState("networkidle");
    if (new URL(page.url()).pathname !== new URL(url).pathname || response?.status() !== 200) return null;
    await page.waitForTimeout(QUIET_MS);
    const scriptBytes = await page.evaluate(() =>
      performance
        .getEntriesByType("resource")
        .filter((entry) => new URL(entry.name).pathname.endsWith(".js"))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).encodedBodySize, 0),
    );
    const atRest = await readSeen(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await interact(page);
    const { reactionMs } = await readSeen(page);
    return { ...atRest, reactionMs, scriptKb: scriptBytes / BYTES_PER_KB };
  } finally {
    await page.close();
  }
}

function readSeen(page: Page): Promise<Omit<Visit, "scriptKb">> {
  return page.evaluate(() => (globalThis as unknown as { licenseDeskSeen: Omit<Visit, "scriptKb"> }).licenseDeskSeen);
}

/** Interactions available on every page: moving in a table, typing in the palette, theme and user menu. */
async function interact(page: Page): Promise<void> {
  for (const key of ["j", "j", "k", "ControlOrMeta+k", "w", "Escape"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(QUIET_MS / 2);
  }
}

async function newContext(browser: Browser, world: PagesWorld, role: keyof PagesWorld["cookies"]) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ ...world.cookies[role], url: world.url }]);
  return context;
}

/** Measures the page `rounds` times, each time with an empty cache. */
async function measurePage(browser: Browser, world: PagesWorld, path: string, rounds: number): Promise<Visit> {
  for (const role of ["reseller", "admin"] as const) {
    const visits: Visit[] = [];
    for (let round = 0; round < rounds; round++) {
      const context = await newContext(browser, world, role);
      const seen = await visit(context, `${world.url}${path}`);
      await context.close();
      if (seen === null) break;
      visits.push(seen);
    }
    const middle = (figure: Exclude<keyof Visit, "shifted">) =>
      percentile(
        visits.map((seen) => seen[figure]),
        0.5,
      );
    if (visits.length === rounds) {
      const shift = Math.max(...visits.map((seen) => seen.shift));
      const shifted = visits.find((seen) => seen.shift === shift)?.shifted ?? "";
      return {
        scriptKb: middle("scriptKb"),
        paintMs: middle("paintMs"),
        shift,
        shifted,
        reactionMs: middle("reactionMs"),
      };
    }
  }
  throw new Error(`${path} is a page of neither a reseller nor an admin.`);
}

export async function measurePages(
  world: PagesWorld,
  rounds: number,
  log: (line: string) => void,
): Promise<PageFigure[]> {
  findBrowser();
  const browser = await chromium.launch(browserLaunchOptions());
  try {
    const figures: PageFigure[] = [];
    const pages = listPages(world.examples);
    // The first visit makes the server load a page's code.
    for (const { path } of pages) await measurePage(browser, world, path, 1);
    for (const { route, path } of pages) {
      log(`In the browser: ${path}`);
      const { scriptKb, paintMs, shift, shifted, reactionMs } = await measurePage(browser, world, path, rounds);
      const line = { name: route, detail: "" };
      figures.push(
        { ...line, group: "JavaScript, as sent", figure: scriptKb, limit: LIMITS.scriptKb, unit: "kB" },
        {
          ...line,
          group: `Largest contentful paint, processor ${SLOW_DOWN} × slower`,
          figure: paintMs,
          limit: LIMITS.paintMs,
          unit: "ms",
        },
        { ...line, group: "Layout shift", figure: shift, limit: LIMITS.shift, unit: "", detail: shifted },
        {
          ...line,
          group: "Slowest reaction to a key",
          figure: reactionMs,
          limit: LIMITS.reactionMs,
          unit: "ms",
        },
      );
    }
    return figures;
  } finally {
    await browser.close();
  }
}
