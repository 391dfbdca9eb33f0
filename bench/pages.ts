/**
 * npm run bench:pages [-- --licenses=1000000] [--requests=60] [--visits=5] [--keep=<folder>] [--only=latency,stream,browser] [--json]
 * The dashboard and the lists with a thousand licenses and with a million, in one run, each figure beside its budget.
 * Exits with 0 whenever it could measure.
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
    /** Making a million licenses takes minutes: here they stay for the next run. */
    keep: { type: "string" },
    only: { type: "string", default: "latency,stream,browser" },
    json: { type: "boolean", default: false },
  },
});

// Progress goes beside the result, so that --json leaves nothing but JSON to read.
const log = (line: string) => void process.stderr.write(`${line}\n`);
const keepDir = values.keep === undefined ? null : resolve(values.keep);
const wants = (part: string) => values.only.split(",").includes(part);

await ensureBuilt(join(import.meta.dirname, ".."), log, new AbortController().signal);
const small = await startPagesWorld({ licenses: FEW, keepDir, log });
try {
  const large = await startPagesWorld({ licenses: Number(values.licenses), keepDir, log });
  try {
    const figures: PageFigure[] = [];
    // First: the memory of a server that has made pages is large already, and would hide what the stream takes.
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
