/**
 * npm run bench:pages [-- --licenses=1000000] [--requests=60] [--visits=5] [--keep=<folder>]
 * [--only=latency,stream,browser] [--json]
 * Measures the dashboard and the lists with a thousand and a million licenses, each figure with its budget. Exits with
 * 0 if it could measure.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { measurePages } from "./pages-browser.ts";
import { compareLatencies } from "./pages-latency.ts";
import { formatFigures, type PageFigure } from "./pages-report.ts";
import { measureStream } from "./pages-stream.ts";
import { startPagesWorld } from "./pages-world.ts";

const FEW = 1_000;

const { values } = parseArgs({
  options: {
    licenses: { type: "string", default: "1000000" },
    requests: { type: "string", default: "60" },
    visits: { type: "string", default: "5" },
    /** Seeding a million licenses takes minutes: keeps them for the next run. */
    keep: { type: "string" },
    only: { type: "string", default: "latency,stream,browser" },
    json: { type: "boolean", default: false },
  },
});

// Progress goes to stderr, so that --json prints only JSON.
const log = (line: string) => void process.stderr.write(`${line}\n`);
const keepDir = values.keep === undefined ? null : resolve(values.keep);
const wants = (part: string) => values.only.split(",").includes(part);

await ensureBuilt(join(import.meta.dirname, ".."), log, new AbortController().signal);
const small = await startPagesWorld({ licenses: FEW, keepDir, log });
try {
  const large = await startPagesWorld({ licenses: Number(values.licenses), keepDir, log });
  try {
    const figures: PageFigure[] = [];
    // First: rendering pages grows the memory, which would hide what streaming needs.
    if (wants("stream")) figures.push(...(await measureStream(small, large)));
    if (wants("latency")) figures.push(...(await compareLatencies(small, large, Number(values.requests), log)));
    if (wants("browser")) figures.push(...(await measurePages(large, Number(values.visits), log)));
    process.stdout.write(values.json ? `${JSON.stringify(figures, null, 2)}\n` : formatFigures(figures));
  } finally {
    await large.stop();
  }
} finally {
  await small.stop();
}
