import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { type FaultAnswer, post } from "./client.ts";
import { createServers, type Servers } from "./crash-case.ts";
import { startDatabaseProxy, statementNamed } from "./database-proxy.ts";
import type { Buyer, Desk } from "./desk.ts";
import { createRandom, type Random } from "./random.ts";
import { type DispatchRequest, faultNames, faults, type VerbName, verbs } from "./verbs.ts";

export interface StormOptions {
  readonly seed: number;
  /** Concurrent requests, each with its own intent. */
  readonly size: number;
  /** Whether servers are killed and connections broken; the provider fails in any case. */
  readonly violent: boolean;
}

interface Intent {
  readonly name: string;
  readonly actor: string;
  readonly caller: { readonly apiKey: string; readonly idempotencyKey: string };
  readonly request: DispatchRequest;
  readonly delayMs: number;
  /** The caller's last response. */
  response: FaultAnswer | null;
}

/** Each buyer's funds at the start, in minor units: enough for everything, for some, and for almost nothing. */
const FUNDS = [100_000n, 6_000n, 500n] as const;
const productTypes = ["web_server", "control_panel", "hardened_kernel", "malware_scanner", "backup_agent"] as const;
const verbNames: readonly [VerbName, ...VerbName[]] = [
  "register",
  "renew",
  "change_core",
  "remove_core",
  "change_ip",
  "bundle_register",
  "bundle_renew",
  "bundle_change_ip",
];
const statements = [
  "hold_operations",
  "mark_operation_sent",
  "sandbox_decide_request",
  "settle_operations",
  "store_idempotent_answer",
] as const;
const DURATION_MS = 600;
const KILLS = 2;
const BREAKS = 6;
const MAX_REPEATS = 40;

/** Runs mixed concurrent requests with failures; returns the errors after everything has settled. */
export async function runStorm(desk: Desk, { seed, size, violent }: StormOptions): Promise<string[]> {
  const random = createRandom(seed);
  const intents = await prepareIntents(desk, random, size);
  const proxy = await startDatabaseProxy(desk.databaseUrl);
  const servers = createServers({ databaseUrl: proxy.url });
  try {
    await servers.current();
    const trouble = violent ? injectFaults(random, servers, proxy.breakAt) : Promise.resolve();
    await Promise.all([trouble, ...intents.map((intent) => send(servers, intent))]);
    await (await servers.current()).kill();
    servers.replace();
    await desk.releaseDead();
    const repeats = intents.map((intent) => repeatUntilClear(servers, intent));
    await Promise.all([...repeats, desk.reconcile()]);
    await desk.reconcile();
    return [
      ...(await findDifferences(desk.db)),
      ...(await Promise.all(intents.map((i) => describeErrors(desk, i)))).flat(),
    ];
  } finally {
    await servers.close();
    await proxy.close();
  }
}

async function prepareIntents(desk: Desk, random: Random, size: number): Promise<Intent[]> {
  const buyers = [await desk.newBuyer("100000"), await desk.newBuyer("100000"), await desk.newBuyer("100000")] as const;
  const taken = new Set<string>();
  const intents: Intent[] = [];
  for (let position = 0; position < size; position++) {
    const verb = random.pick(verbNames);
    const fault = random.pick(faultNames as [(typeof faultNames)[number]]);
    const isBundle = verb.startsWith("bundle_");
    const type = verb === "change_core" || verb === "remove_core" ? "web_server" : random.pick(productTypes);
    // Only one live license of a product per address (contract 3.3): later ones get an address without faults.
    const places = (isBundle ? productTypes : [type]).map((product) => `${product} ${fault}`);
    const isFree = places.every((place) => !taken.has(place));
    for (const place of places) taken.add(place);
    const buyer = random.pick(buyers);
    const request = await verbs[verb].prepare(desk, buyer, isFree ? faults[fault] : null, type);
    const { apiKey, actor } = await desk.newKey(buyer.resellerId);
    intents.push({
      name: `${position}: ${verb}, provider ${isFree ? fault : "none"}`,
      actor,
      caller: { apiKey, idempotencyKey: randomUUID() },
      request,
      delayMs: random.integer(DURATION_MS),
      response: null,
    });
  }
  await Promise.all(buyers.map((buyer, index) => leaveFunds(desk, buyer, FUNDS[index] ?? 0n)));
  return intents;
}

async function leaveFunds(desk: Desk, { resellerId }: Buyer, funds: bigint): Promise<void> {
  await desk.db.query(
    sql(`select from wallets w, post_ledger_entry(w.reseller_id, 'adjustment', 'adjustments', $2::bigint - w.posted, null, '', 'faults', null, null, now())
            where w.reseller_id = $1`),
    [resellerId, funds],
  );
}

async function injectFaults(
  random: Random,
  servers: Servers,
  breakAt: (marker: string, options: { readonly arrives: boolean }) => Promise<void>,
): Promise<void> {
  const kills = Array.from({ length: KILLS }, () => random.integer(2 * DURATION_MS));
  const breaks = Array.from({ length: BREAKS }, () => ({
    atMs: random.integer(DURATION_MS),
    marker: statementNamed(random.pick(statements)),
    arrives: random.integer(2) === 0,
  }));
  await Promise.all([
    ...kills.map(async (atMs) => {
      await sleep(atMs);
      const doomed = await servers.current();
      await doomed.kill();
      servers.replace();
      await servers.current();
    }),
    ...breaks.map(async ({ atMs, marker, arrives }) => {
      await sleep(atMs);
      // Not awaited: the statement may never come.
      void breakAt(marker, { arrives });
    }),
  ]);
}

async function send(servers: Servers, intent: Intent): Promise<void> {
  await sleep(intent.delayMs);
  intent.response = await post((await servers.current()).url, intent.caller, intent.request);
}

async function repeatUntilClear(servers: Servers, intent: Intent): Promise<void> {
  for (let repeat = 0; repeat < MAX_REPEATS; repeat++) {
    intent.response = await post((await servers.current()).url, intent.caller, intent.request);
    const isClear =
      intent.response !== null && intent.response.status < 500 && intent.response.code !== "IDEMPOTENCY_IN_PROGRESS";
    if (isClear || intent.response?.code === "PROVIDER_UNAVAILABLE") return;
    await sleep(50);
  }
}

async function describeErrors(desk: Desk, { name, actor, response }: Intent): Promise<string[]> {
  const text = "select from operations where actor = $1 and state = 'succeeded'";
  const successes = (await desk.db.query(sql(text), [actor])).length;
  const outcome = `${name} got ${response?.status ?? "nothing"} ${response?.code ?? ""} and carried out ${successes} times`;
  const mayBe = response?.status === 200 ? [1] : response?.status === 202 ? [0, 1] : [0];
  const isClean = response !== null && (response.status < 500 || response.code === "PROVIDER_UNAVAILABLE");
  return isClean && mayBe.includes(successes) ? [] : [outcome];
}
