/** Verifications with one, two and four processes on one port (WEB_CONCURRENCY). */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { optionsOfNpmStart, startChildServer } from "./child-server.ts";
import { startBenchDatabase } from "./database.ts";
import { chooseLoad } from "./load.ts";
import type { RowReport } from "./report.ts";
import { type Contender, compare, measureInTurn, roundsText, summarize } from "./rounds.ts";
import { seedVerifyWorkload } from "./verify-seed.ts";

const CONNECTIONS = 32;
const POOL_SIZE = 10;
/** For the load, the database and two servers. */
const CORES_TO_JUDGE = 4;
const READY_WITHIN_MS = 30_000;
const root = join(import.meta.dirname, "..");

export async function runProcessesRow(log: (line: string) => void): Promise<RowReport> {
  await ensureBuilt(root, log, new AbortController().signal);
  const cleanups: (() => Promise<void>)[] = [];
  try {
    const database = await startBenchDatabase(POOL_SIZE);
    cleanups.push(database.stop);
    Object.assign(process.env, database.environment);
    const { apiKey, bodies } = await seedVerifyWorkload({ licenses: 100_000, bodies: 20_000 });
    const headers = { Authorization: `Bearer ${apiKey}` };
    const load = chooseLoad({ connections: CONNECTIONS, headers, bodies, scratchDir: database.dataDir });
    const running = async (processes: number): Promise<Contender> => {
      const environment = { ...database.environment, WORKER: "off", WEB_CONCURRENCY: String(processes) };
      const server = await startChildServer(() => [...optionsOfNpmStart(), join(root, "server.ts")], environment);
      cleanups.push(server.stop);
      await waitUntilReady(server.url);
      return {
        name: processes === 1 ? "one process" : `${processes} processes`,
        measure: (seconds) => load.measure(`${server.url}/api/v1/license/verify`, seconds),
      };
    };
    const measured = await measureInTurn([await running(1), await running(2), await running(4)], log);
    const [one, two, four] = measured;
    const cores = availableParallelism();
    const busy = { comparison: "at least", limit: 0.9 } as const;
    return {
      row: "processes",
      setting: `verify, 100000 licenses, ${CONNECTIONS} connections, ${cores} cores, ${roundsText}; load: ${load.generator}`,
      budgets:
        cores < CORES_TO_JUDGE
          ? [
              compare("two processes ÷ one, no free core", [two, one], busy),
              compare("four processes ÷ one, no free core", [four, one], busy),
            ]
          : [compare("two processes ÷ one", [two, one], { comparison: "at least", limit: 1.7 })],
      contenders: measured.map(summarize),
      checks: [],
    };
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** The processes listen at different times. */
async function waitUntilReady(url: string): Promise<void> {
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; await sleep(100)) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
  }
  throw new Error(`${url} is not ready.`);
}
