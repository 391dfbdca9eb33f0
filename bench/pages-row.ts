/** The dashboard and the lists with a thousand and a million licenses. */
import { join, resolve } from "node:path";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { measurePages } from "./pages-browser.ts";
import { compareLatencies } from "./pages-latency.ts";
import { type PageFigure, toBudget } from "./pages-report.ts";
import { measureStream } from "./pages-stream.ts";
import { startPagesWorld } from "./pages-world.ts";
import type { RowReport } from "./report.ts";

const FEW = 1_000;
const MANY = 1_000_000;
const REQUESTS = 60;
const VISITS = 5;

/** `keep`: where the databases are kept for the next run, because seeding takes minutes. */
export async function runPagesRow(
  log: (line: string) => void,
  { keep }: { keep?: string | undefined },
): Promise<RowReport> {
  const keepDir = keep === undefined ? null : resolve(keep);
  await ensureBuilt(join(import.meta.dirname, ".."), log, new AbortController().signal);
  const small = await startPagesWorld({ licenses: FEW, keepDir, log });
  try {
    const large = await startPagesWorld({ licenses: MANY, keepDir, log });
    try {
      const figures: PageFigure[] = [
        // First: rendering pages grows the memory, which would hide what streaming needs.
        ...(await measureStream(small, large)),
        ...(await compareLatencies(small, large, REQUESTS, log)),
        ...(await measurePages(large, VISITS, log)),
      ];
      return {
        row: "pages",
        setting: `${MANY} licenses and ${FEW}, requests in turn`,
        budgets: figures.map(toBudget),
        contenders: [],
        checks: figures.filter(({ detail }) => detail !== "").map(({ name, detail }) => `${name}: ${detail}`),
      };
    } finally {
      await large.stop();
    }
  } finally {
    await small.stop();
  }
}
