/**
 * npm run bench:scale [-- --licenses=1000,100000,1000000]
 * The figures of docs/scale.md by number of licenses: what rows occupy, what changes write to the log, and how long
 * services take. Writes bench/growth.json, and draws it as bench/growth.svg; a size that was not measured keeps its figures.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { seedLarge } from "../scripts/large-seed/seed.ts";
import { startBenchDatabase } from "./database.ts";
import { drawGrowth, type Panel } from "./growth-chart.ts";
import { type CallFigures, measureRows, measureServices, type RowFigures } from "./scale-figures.ts";

const RESELLERS = 12;
const CHARTED = ["verify", "register", "list", "search", "overview"];
const results = join(import.meta.dirname, "growth.json");

interface Size {
  readonly licenses: number;
  readonly services: Readonly<Record<string, CallFigures>>;
  readonly rows: RowFigures;
}

async function measureSize(licenses: number): Promise<Size> {
  const database = await startBenchDatabase(10);
  try {
    Object.assign(process.env, database.environment, { WORKER: "off" });
    const system = getRuntime().contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });
    const options = { databaseUrl: database.environment.DATABASE_URL ?? "", licenses, resellers: RESELLERS };
    const { resellerId } = await seedLarge(system, { ...options, log: () => undefined });
    const services = await measureServices(resellerId);
    return { licenses, services, rows: await measureRows(resellerId) };
  } finally {
    await closeRuntime();
    await database.stop();
  }
}

function format({ licenses, services, rows }: Size): string {
  const calls = Object.entries(services).map(
    ([name, { p50Ms, p99Ms, logBytes }]) =>
      `  ${name.padEnd(24)} p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, log ${logBytes.toFixed(0)} bytes`,
  );
  const stored = Object.entries(rows.storedBytes).map(
    ([name, bytes]) => `  ${name.padEnd(24)} ${bytes.toFixed(0)} bytes`,
  );
  const database = `  ${"database".padEnd(24)} ${(rows.databaseBytes / 1e6).toFixed(0)} MB`;
  return [`${licenses} licenses`, ...calls, ...stored, database, ""].join("\n");
}

function toPanels(sizes: readonly Size[]): Panel[] {
  const line = (name: string, figureOf: (size: Size) => number | undefined, isDashed = false) => ({
    name,
    isDashed,
    points: sizes.flatMap((size) => {
      const value = figureOf(size);
      return value === undefined ? [] : [[size.licenses, value] as const];
    }),
  });
  const times = CHARTED.map((name) => ({
    title: name,
    unit: "ms",
    lines: [
      line("p50", ({ services }) => services[name]?.p50Ms),
      line("p99", ({ services }) => services[name]?.p99Ms, true),
    ],
  }));
  const bytes = {
    title: "disk and log",
    unit: "bytes",
    lines: [
      line("a license", ({ rows: { storedBytes } }) => (storedBytes.licenses ?? 0) + (storedBytes.address_claims ?? 0)),
      line("a verification", ({ rows }) => rows.storedBytes.verifications),
      line("its log", ({ services }) => services["verify during upkeep"]?.logBytes, true),
    ],
  };
  return [...times, bytes];
}

const { values } = parseArgs({
  options: { licenses: { type: "string", default: "1000,10000,100000,1000000,5000000" } },
});
let sizes: readonly Size[] = existsSync(results) ? JSON.parse(readFileSync(results, "utf8")) : [];
for (const licenses of values.licenses.split(",").map(Number)) {
  const measured = await measureSize(licenses);
  process.stdout.write(format(measured));
  const others = sizes.filter((size) => size.licenses !== licenses);
  sizes = [...others, measured].sort((a, b) => a.licenses - b.licenses);
  writeFileSync(results, `${JSON.stringify(sizes, null, 2)}\n`);
  writeFileSync(join(import.meta.dirname, "growth.svg"), drawGrowth(toPanels(sizes)));
}
