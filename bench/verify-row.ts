/** POST /api/v1/license/verify compared with the floor and with stock Next, in alternating rounds. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { ensureBuilt } from "#lib/server/ensure-built.ts";
import { type ChildServer, optionsOfNpmStart, startChildServer } from "./child-server.ts";
import { startBenchDatabase } from "./database.ts";
import { chooseLoad, type Load, type Measurement } from "./load.ts";
import { type ContenderReport, median, type RowReport, spread } from "./report.ts";
import { seedVerifyWorkload, type VerifyWorkload } from "./verify-seed.ts";

const LICENSES = 100_000;
const BODIES = 20_000;
const CONNECTIONS = 16;
const POOL_SIZE = 10;
const ROUNDS = 5;
const ROUND_SECONDS = 3;
/** Long enough for the JIT to finish. */
const WARM_UP_SECONDS = 3;
/** Pending writes of one server must not slow down the next round. */
const SETTLE_MS = 300;
/** Verifications are written within this time after their response. */
const RECORDED_WITHIN_MS = 2_000;

const PATH = "/api/v1/license/verify";
const root = join(import.meta.dirname, "..");

interface Contender {
  readonly name: string;
  readonly url: string;
  readonly recordsVerifications: boolean;
  readonly rounds: Measurement[];
}

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
    const contenders: Contender[] = [
      { name: "floor: node:http + pg", url: floor.url, recordsVerifications: false, rounds: [] },
      { name: "ours: server.ts", url: `${ours.url}${PATH}`, recordsVerifications: true, rounds: [] },
      { name: "same handlers, stock Next", url: `${next.url}${PATH}`, recordsVerifications: true, rounds: [] },
    ];
    for (const { url, recordsVerifications } of contenders) await checkAnswer(url, workload, recordsVerifications);

    const headers = { Authorization: `Bearer ${workload.apiKey}` };
    const { bodies } = workload;
    const load = chooseLoad({ connections: CONNECTIONS, headers, bodies, scratchDir: database.dataDir });
    const answered = await measureInTurn(contenders, load, log);
    const recorded = await countRecorded(database.environment.DATABASE_URL ?? "", answered);
    return report(contenders, load, { answered, recorded });
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

/** @returns the number of verifications that recording servers have answered. */
async function measureInTurn(contenders: readonly Contender[], load: Load, log: (line: string) => void) {
  let answered = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const isWarmUp = round === 0;
    log(isWarmUp ? "Warming up." : `Round ${round} of ${ROUNDS}.`);
    for (const { url, recordsVerifications, rounds } of contenders) {
      const measurement = await load.measure(url, isWarmUp ? WARM_UP_SECONDS : ROUND_SECONDS);
      if (recordsVerifications) answered += measurement.answered;
      if (!isWarmUp) rounds.push(measurement);
      await sleep(SETTLE_MS);
    }
  }
  return answered;
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

function summarize({ name, rounds }: Contender): ContenderReport {
  const throughput = rounds.map((round) => round.requestsPerSecond);
  return {
    name,
    requestsPerSecond: median(throughput),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    spread: spread(throughput),
  };
}

/** The median of the rounds' ratios, because a disturbance affects both sides of a round. */
function ratio(a: Contender, b: Contender, figure: (measurement: Measurement) => number): number {
  return median(a.rounds.map((round, index) => figure(round) / figure(b.rounds[index] as Measurement)));
}

function report(
  contenders: readonly Contender[],
  load: Load,
  { answered, recorded }: { readonly answered: number; readonly recorded: number },
): RowReport {
  const [floor, ours, next] = contenders as [Contender, Contender, Contender];
  const throughput = (measurement: Measurement) => measurement.requestsPerSecond;
  const p99 = (measurement: Measurement) => measurement.p99Ms;
  if (recorded < answered) throw new Error(`Only ${recorded} of ${answered} answered verifications are recorded.`);
  return {
    row: "verify",
    setting: `${LICENSES} licenses, ${CONNECTIONS} connections, pool of ${POOL_SIZE}, ${ROUNDS} rounds of ${ROUND_SECONDS} s; load: ${load.generator}`,
    budgets: [
      { name: "throughput, ours ÷ floor", ratio: ratio(ours, floor, throughput), limit: 0.6, comparison: "at least" },
      { name: "p99, ours ÷ floor", ratio: ratio(ours, floor, p99), limit: 2, comparison: "at most" },
      { name: "throughput, ours ÷ stock Next", ratio: ratio(ours, next, throughput), limit: 8, comparison: "at least" },
    ],
    contenders: contenders.map(summarize),
    checks: [`All ${answered} answered verifications are recorded, none of the requests failed.`],
  };
}
