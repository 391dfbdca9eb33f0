/** POST /api/v1/license/verify compared with the floor and with stock Next, in alternating rounds. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { type ChildServer, optionsOfNpmStart, startChildServer } from "./child-server.ts";
import { startBenchDatabase } from "./database.ts";
import { chooseLoad, type Load } from "./load.ts";
import { machineTimeUs, processorTimeUs, processorWaitUs } from "./processor-time.ts";
import type { RowReport } from "./report.ts";
import { type Contender, compare, type Measured, measureInTurn, roundsText, summarize } from "./rounds.ts";
import { seedVerifyWorkload, type VerifyWorkload } from "./verify-seed.ts";

const LICENSES = 100_000;
const BODIES = 20_000;
const CONNECTIONS = 16;
const POOL_SIZE = 10;
/** Of what was answered last, most is written by then. */
const RECORDED_AFTER_MS = 500;
/** Verifications are written within this time after their response. */
const RECORDED_WITHIN_MS = 2_000;

const PATH = "/api/v1/license/verify";
const root = join(import.meta.dirname, "..");

export async function runVerifyRow(log: (line: string) => void): Promise<RowReport> {
  await ensureBuilt(root, log, new AbortController().signal);
  const cleanups: (() => Promise<void>)[] = [];
  try {
    log(`Creating a database with ${LICENSES} licenses.`);
    const database = await startBenchDatabase(POOL_SIZE);
    cleanups.push(database.stop);
    Object.assign(process.env, database.environment);
    const workload = await seedVerifyWorkload({ licenses: LICENSES, bodies: BODIES });

    const start = async (args: (port: number) => readonly string[]): Promise<ChildServer> => {
      const server = await startChildServer(args, database.environment);
      cleanups.push(server.stop);
      return server;
    };
    const nextCli = createRequire(import.meta.url).resolve("next/dist/bin/next");
    const floor = await start(() => [join(import.meta.dirname, "verify-floor.ts")]);
    const ours = await start(() => [...optionsOfNpmStart(), join(import.meta.dirname, "verify-ours.ts")]);
    const next = await start((port) => [nextCli, "start", root, "--port", String(port), "--hostname", "127.0.0.1"]);
    const oursUrl = `${ours.url}${PATH}`;
    const nextUrl = `${next.url}${PATH}`;
    await checkAnswer(floor.url, workload, false);
    for (const url of [oursUrl, nextUrl]) await checkAnswer(url, workload, true);

    const headers = { Authorization: `Bearer ${workload.apiKey}` };
    const { bodies } = workload;
    const load = chooseLoad({ connections: CONNECTIONS, headers, bodies, scratchDir: database.dataDir });
    let answered = 0;
    const costs = new Map<
      string,
      { answered: number; serverUs: number; machineUs: number; waitedUs: number; seconds: number }
    >();
    const contender = (name: string, { pid }: ChildServer, url: string, recordsVerifications: boolean): Contender => ({
      name,
      async measure(seconds) {
        const before = { server: processorTimeUs(pid), machine: machineTimeUs(), waited: processorWaitUs(pid) };
        const measurement = await load.measure(url, seconds);
        if (recordsVerifications) answered += measurement.answered;
        // The first turn warms up.
        const cost = costs.get(name);
        if (cost) {
          cost.answered += measurement.answered;
          cost.serverUs += processorTimeUs(pid) - before.server;
          cost.machineUs += machineTimeUs() - before.machine;
          cost.waitedUs += processorWaitUs(pid) - before.waited;
          cost.seconds += seconds;
        } else costs.set(name, { answered: 0, serverUs: 0, machineUs: 0, waitedUs: 0, seconds: 0 });
        return measurement;
      },
    });
    const stockNext = contender("same handlers, stock Next", next, nextUrl, true);
    next.pause();
    const measured = await measureInTurn(
      [
        contender("floor: node:http + pg", floor, floor.url, false),
        contender("ours: server.ts", ours, oursUrl, true),
        {
          name: stockNext.name,
          // Otherwise it collects its garbage for seconds, in the turns of the others.
          async measure(seconds) {
            next.resume();
            const measurement = await stockNext.measure(seconds);
            await sleep(RECORDED_AFTER_MS);
            next.pause();
            return measurement;
          },
        },
      ],
      log,
    );
    next.resume();
    const recorded = await countRecorded(database.environment.DATABASE_URL ?? "", answered);
    if (recorded < answered) throw new Error(`Only ${recorded} of ${answered} answered verifications are recorded.`);
    const times = [...costs].map(([name, { answered: count, serverUs, machineUs, waitedUs, seconds }]) => {
      const [server, machine] = [serverUs, machineUs].map((us) => (us / count).toFixed(0));
      const waited = (waitedUs / seconds / 10_000).toFixed(0);
      const cost = `${server} μs of the server, ${machine} μs of the whole machine`;
      return `Processor time a request, ${name}: ${cost}; the server waited for a processor ${waited} % of the time.`;
    });
    return report(measured, load, [
      `All ${answered} answered verifications are recorded, none of the requests failed.`,
      ...times,
    ]);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

/** @throws Error unless the server has the license. */
async function checkAnswer(url: string, { apiKey, bodies }: VerifyWorkload, isVerification: boolean): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: bodies[0] ?? "",
  });
  const text = await response.text();
  const isRight = response.status === 200 && (isVerification ? JSON.parse(text).valid === true : text.startsWith("{"));
  if (!isRight) throw new Error(`${url} answers ${response.status}: ${text.slice(0, 500)}`);
}

async function countRecorded(databaseUrl: string, expected: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = Date.now() + RECORDED_WITHIN_MS; ; await sleep(100)) {
      const { rows } = await client.query("select count(*)::int as count from verifications");
      const { count } = rows[0];
      if (count >= expected || Date.now() > deadline) return count;
    }
  } finally {
    await client.end();
  }
}

function report(measured: readonly [Measured, Measured, Measured], load: Load, checks: readonly string[]): RowReport {
  const [floor, ours, next] = measured;
  return {
    row: "verify",
    setting: `${LICENSES} licenses, ${CONNECTIONS} connections, pool of ${POOL_SIZE}, ${roundsText}; load: ${load.generator}`,
    budgets: [
      compare("throughput, ours ÷ floor", [ours, floor], { comparison: "at least", limit: 0.8 }),
      compare("p99, ours ÷ floor", [ours, floor], { comparison: "at most", limit: 2 }, "p99Ms"),
      compare("throughput, ours ÷ stock Next", [ours, next], { comparison: "at least", limit: 8 }),
    ],
    contenders: measured.map(summarize),
    checks,
  };
}
