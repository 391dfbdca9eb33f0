/** The dashboard and the lists with a thousand and a million licenses. */
import { join, resolve } from "node:path";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { measurePages } from "./pages-browser.ts";
import { compareLatencies } from "./pages-latency.ts";
import { type PageFigure, toBudget } from "./pages-report.ts";
import { measureStream } from "./pages-stream.ts";
import { type PagesWorld, startPagesWorld } from "./pages-world.ts";
import type { RowReport } from "./report.ts";

const FEW = 1_000;
const MANY = 1_000_000;
const REQUESTS = 300;
const VISITS = 5;

type Log = (line: string) => void;

export interface PagesRowOptions {
  /** Where the databases are kept for the next run, because seeding takes minutes. */
  readonly keep?: string | undefined;
}

export function runListsRow(log: Log, options: PagesRowOptions): Promise<RowReport> {
  return withWorld(FEW, log, options, (small) =>
    withWorld(MANY, log, options, async (large) =>
      toReport("lists", `${MANY} licenses and ${FEW}, ${REQUESTS} requests of each in turn`, [
        ...(await measureStream(small, large)),
        ...(await compareLatencies(small, large, REQUESTS, log)),
      ]),
    ),
  );
}

export function runPagesRow(log: Log, options: PagesRowOptions): Promise<RowReport> {
  return withWorld(MANY, log, options, async (large) =>
    toReport("pages", `${MANY} licenses, ${VISITS} visits of each`, await measurePages(large, VISITS, log)),
  );
}

async function withWorld<Result>(
  licenses: number,
  log: Log,
  { keep }: PagesRowOptions,
  run: (world: PagesWorld) => Promise<Result>,
): Promise<Result> {
  await ensureBuilt(join(import.meta.dirname, ".."), log, new AbortController().signal);
  const world = await startPagesWorld({ licenses, keepDir: keep === undefined ? null : resolve(keep), log });
  try {
    return await run(world);
  } finally {
    await world.stop();
  }
}

function toReport(row: string, setting: string, figures: readonly PageFigure[]): RowReport {
  return {
    row,
    setting,
    budgets: figures.map(toBudget),
    contenders: [],
    checks: figures.filter(({ detail }) => detail !== "").map(({ name, detail }) => `${name}: ${detail}`),
  };
}
