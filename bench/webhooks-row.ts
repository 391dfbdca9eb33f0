/**
 * 10,000 events to 20 endpoints on as many hosts: throughput, and how much two failing endpoints slow down the others.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { ResellerId } from "#lib/domain/ids.ts";
import { closeRuntime, getRuntime } from "#lib/runtime.ts";
import { onBehalfOf } from "#lib/services/context.ts";
import { createReseller } from "#lib/services/reseller/create.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { startWebhookWorker } from "#lib/webhook-worker.ts";
import { startChildServer } from "./child-server.ts";
import { startBenchDatabase } from "./database.ts";
import { median, type RowReport, spread } from "./report.ts";

const EVENTS = 10_000;
const ENDPOINTS = 20;
const BAD = ["/hangs", "/fails"];
const POOL_SIZE = 10;
/** To one host, which gets 100 a second. */
const ONE_HOST_EVENTS = 1_000;
const ROUNDS = 5;
/** Events per round of the paced load, which in total equals the other load. */
const PACED_EVENTS = EVENTS / ROUNDS;
/** About half of the worker's best rate here, so that queuing does not dominate. */
const EVENTS_PER_SECOND = 400;
const EVENTS_A_BATCH = 20;
const ROUND_TIMEOUT_MS = 120_000;

interface Round {
  readonly deliveriesPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

type Load = "all at once" | "paced";

export async function runWebhooksRow(log: (line: string) => void): Promise<RowReport> {
  const cleanups: (() => Promise<unknown>)[] = [];
  try {
    const database = await startBenchDatabase(POOL_SIZE);
    cleanups.push(database.stop);
    Object.assign(process.env, database.environment, { WEBHOOK_ALLOW_HTTP: "1", WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" });
    const receiver = await startChildServer(() => [join(import.meta.dirname, "webhooks-receiver.ts")], {});
    cleanups.push(receiver.stop);
    const client = new pg.Client({ connectionString: database.environment.DATABASE_URL });
    await client.connect();
    cleanups.push(() => client.end());
    cleanups.push(() => closeRuntime());

    const measure = async (bad: readonly string[], load: Load, events: number, hostOf = ownHost) => {
      await client.query("truncate events, webhook_endpoints, webhook_targets cascade");
      const urls = Array.from({ length: ENDPOINTS }, (_, index) =>
        receiver.url.replace("127.0.0.1", hostOf(index)).concat(bad[index] ?? "/"),
      );
      const resellers = await makeEndpoints(urls);
      // As after their challenges, which some of them would fail.
      await client.query("update webhook_endpoints set pending_since = null");
      await client.query("delete from events");
      return measureRound(client, resellers, load, events);
    };
    log("Warming up.");
    await measure([], "all at once", EVENTS / 5);
    log("All at once.");
    const drained = [await measure([], "all at once", EVENTS)];
    log("All at one host.");
    const oneHost = [await measure([], "all at once", ONE_HOST_EVENTS, () => "127.0.0.1")];
    const healthy: Round[] = [];
    const mixed: Round[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      log(`Round ${round} of ${ROUNDS}.`);
      healthy.push(await measure([], "paced", PACED_EVENTS));
      mixed.push(await measure(BAD, "paced", PACED_EVENTS));
    }
    return report(drained, oneHost, healthy, mixed);
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}

function ownHost(index: number): string {
  return `127.0.1.${index + 1}`;
}

/** One reseller per endpoint, so that each event is one delivery. */
async function makeEndpoints(urls: readonly string[]): Promise<ResellerId[]> {
  const operator = getRuntime().contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });
  const resellers: ResellerId[] = [];
  for (const url of urls) {
    const email = `${crypto.randomUUID()}@bench.example`;
    const { resellerId } = await createReseller(operator, { name: "Bench", email, currency: "USD" });
    await createWebhookEndpoint(onBehalfOf(operator, resellerId, ["webhooks:write"]), { url });
    resellers.push(resellerId);
  }
  return resellers;
}

async function measureRound(
  client: pg.Client,
  resellers: readonly ResellerId[],
  load: Load,
  events: number,
): Promise<Round> {
  const insert = (from: number, count: number) =>
    client.query(
      `insert into events (id, reseller_id, kind, data, occurred_at)
       select gen_random_uuid(), ($1::int[])[1 + n % ${ENDPOINTS}], 'license.renewed', '{"license_id": "lic_1"}', clock_timestamp()
         from generate_series($2::int, $2::int + $3::int - 1) n`,
      [resellers, from, count],
    );
  const runtime = getRuntime();
  const ctx = runtime.contextFor({ kind: "system", name: "bench" }, { requestId: "bench" });
  if (load === "all at once") await insert(0, events);
  const worker = startWebhookWorker(ctx, runtime.webhookSender, { logError: reportError, pollEveryMs: 1_000 });
  const startedAtMs = performance.now();
  if (load === "paced") {
    for (let sent = 0; sent < events; sent += EVENTS_A_BATCH) {
      await insert(sent, EVENTS_A_BATCH);
      // As the events' queue job does.
      worker.wake();
      await sleep(Math.max(0, startedAtMs + (1_000 * sent) / EVENTS_PER_SECOND - performance.now()));
    }
  }
  await waitForHealthy(client);
  const elapsedMs = performance.now() - startedAtMs;
  const { rows } = await client.query(
    `select count(*)::int as count,
            percentile_cont(array[0.5, 0.95, 0.99]) within group (order by extract(epoch from a.started_at - d.created_at) * 1000 + a.duration_ms) as ms
       from webhook_deliveries d join webhook_attempts a on a.delivery_id = d.id and a.number = 1
       join webhook_endpoints e on e.id = d.endpoint_id where e.url like '%/' and a.succeeded`,
  );
  await worker.stop(100);
  const [p50Ms, p95Ms, p99Ms] = rows[0].ms as [number, number, number];
  return { deliveriesPerSecond: (1_000 * rows[0].count) / elapsedMs, p50Ms, p95Ms, p99Ms };
}

function reportError(error: unknown): void {
  process.stderr.write(`${error}\n`);
}

/** @throws Error if they are late, or if any delivery failed at first. */
async function waitForHealthy(client: pg.Client): Promise<void> {
  for (const deadline = performance.now() + ROUND_TIMEOUT_MS; performance.now() < deadline; await sleep(50)) {
    const { rows } = await client.query(
      `select count(*) filter (where d.state <> 'succeeded')::int as waiting, coalesce(max(d.attempt_count), 0) as attempts
         from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where e.url like '%/'`,
    );
    if (rows[0].attempts > 1) throw new Error("A healthy endpoint was asked twice.");
    if (rows[0].waiting === 0) return;
  }
  throw new Error("The healthy endpoints did not get all of their events in time.");
}

function report(
  drained: readonly Round[],
  oneHost: readonly Round[],
  healthy: readonly Round[],
  mixed: readonly Round[],
): RowReport {
  const contender = (name: string, rounds: readonly Round[]) => ({
    name,
    perSecond: median(rounds.map((round) => round.deliveriesPerSecond)),
    p50Ms: median(rounds.map((round) => round.p50Ms)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    spread: spread(rounds.map((round) => round.deliveriesPerSecond)),
  });
  const ratios = mixed.map((round, index) => round.p95Ms / (healthy[index]?.p95Ms ?? Number.NaN));
  return {
    row: "webhooks",
    setting: `${EVENTS} events to ${ENDPOINTS} endpoints of as many hosts, one worker, pool of ${POOL_SIZE}; paced: ${ROUNDS} rounds of ${PACED_EVENTS} at ${EVENTS_PER_SECOND}/s`,
    budgets: [{ name: "p95 of the healthy, bad ÷ no bad", figure: median(ratios), limit: 1.2, comparison: "at most" }],
    contenders: [
      contender("all at once, all healthy", drained),
      contender("all at once, all at one host", oneHost),
      contender("paced, all healthy", healthy),
      contender("paced, one hangs and one fails", mixed),
    ],
    checks: [
      `p95 of the healthy: ${median(healthy.map((round) => round.p95Ms)).toFixed(1)} ms, with two bad ${median(mixed.map((round) => round.p95Ms)).toFixed(1)} ms.`,
      "Every event reached its healthy endpoint with the first attempt. Times are from the event to the answer.",
    ],
  };
}
