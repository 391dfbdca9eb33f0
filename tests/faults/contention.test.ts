import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { get, post } from "./client.ts";
import { type Desk, openDesk } from "./desk.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { type VerbName, verbs } from "./verbs.ts";

/** Generous for a busy machine: response times are asserted separately. */
const TIMEOUT_MS = 180_000;

/** Connect and lock timeouts are 5 s; the rest is for a busy machine. */
const SLOWEST_MS = 15_000;
const PROVIDER_ANSWERS_LATE = "192.0.2.30";

let database: TestDatabase;
let desk: Desk;
let server: ServerProcess;
let patient: ServerProcess;
/** Another client of the database. */
let other: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  desk = await openDesk(database.url);
  server = await startServer({ databaseUrl: database.url, env: { DATABASE_POOL_SIZE: "2" } });
  patient = await startServer({ databaseUrl: database.url, env: { PROVIDER_TIMEOUT_MS: "5000" } });
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
}, TIMEOUT_MS);
afterEach(async () => {
  await other.query("rollback");
  await desk.reconcile();
  expect(await findDifferences(desk.db)).toEqual([]);
  expect([server.hasEnded(), patient.hasEnded()]).toEqual([false, false]);
});
afterAll(async () => {
  await other?.end();
  await server?.kill();
  await patient?.kill();
  await desk?.close();
  await database?.drop();
});

async function prepare(verb: VerbName, address: string | null = null) {
  const buyer = await desk.newBuyer("500");
  const request = await verbs[verb].prepare(desk, buyer, address);
  const { apiKey, actor } = await desk.newKey(buyer.resellerId);
  return { ...buyer, request, actor, caller: { apiKey, idempotencyKey: randomUUID() } };
}

async function lockWallet(resellerId: number): Promise<void> {
  await other.query("begin");
  await other.query("select from wallets where reseller_id = $1 for update", [resellerId]);
}

async function countSuccesses(actor: string): Promise<number> {
  const text = "select from operations where actor = $1 and state = 'succeeded'";
  return (await desk.db.query(sql(text), [actor])).length;
}

async function waitForState(actor: string, state: string): Promise<void> {
  const text = "select from operations where actor = $1 and state = $2";
  for (const deadline = Date.now() + SLOWEST_MS; Date.now() < deadline; await sleep(20)) {
    if ((await desk.db.query(sql(text), [actor, state])).length > 0) return;
  }
  throw new Error(`no operation of ${actor} is ${state}`);
}

test(
  "every connection in use: 503 within the timeouts, and recovery as soon as they are free",
  async () => {
    const buyers = await Promise.all([prepare("register"), prepare("renew"), prepare("change_core")]);
    await other.query("begin");
    await other.query("lock table wallets in exclusive mode");
    const orders = buyers.map(({ caller, request }) => post(server.url, caller, request));
    const reads = buyers.map(({ caller }) => get(server.url, caller.apiKey, "bundles"));
    for (const answer of await Promise.all([...orders, ...reads])) {
      if (answer?.status !== 200) expect(answer).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfter: "1" });
      expect(answer?.tookMs).toBeLessThan(2 * SLOWEST_MS);
    }
    await other.query("rollback");
    await desk.releaseDead();
    for (const { caller, request, actor } of buyers) {
      expect(await post(server.url, caller, request)).toMatchObject({ status: 200 });
      expect(await countSuccesses(actor)).toBe(1);
    }
  },
  TIMEOUT_MS,
);

test(
  "a wallet locked by another client: 503 after the lock timeout, one charge when it is free",
  async () => {
    const { caller, request, resellerId, actor } = await prepare("register");
    await lockWallet(resellerId);
    const answer = await post(server.url, caller, request);
    expect(answer).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfter: "1" });
    expect(answer?.tookMs).toBeLessThan(SLOWEST_MS);
    await other.query("rollback");
    expect(await post(server.url, caller, request)).toMatchObject({ status: 200 });
    expect(await countSuccesses(actor)).toBe(1);
  },
  TIMEOUT_MS,
);

test(
  "a wallet locked during the provider request: pending, and charged once when it is free",
  async () => {
    const { caller, request, resellerId, actor } = await prepare("register", PROVIDER_ANSWERS_LATE);
    const answer = post(patient.url, caller, request);
    await waitForState(actor, "sent");
    await lockWallet(resellerId);
    expect(await answer).toMatchObject({ status: 202 });
    await other.query("rollback");
    // The server continues until it is done.
    await waitForState(actor, "succeeded");
    expect(await post(patient.url, caller, request)).toMatchObject({ status: 200, replayed: true });
  },
  TIMEOUT_MS,
);

test(
  "a deadlock with another client: one of them is aborted, and the charge is made once",
  async () => {
    const { caller, request, resellerId, actor } = await prepare("change_core");
    await lockWallet(resellerId);
    const answer = post(server.url, caller, request);
    await waitForBlocked();
    // The server has the license and waits for the wallet; now the other client waits for the license.
    await other
      .query("select from licenses where id = $1 for update", [Object.values(request.parameters)[0]])
      .catch(() => undefined);
    await other.query("rollback");
    const first = await answer;
    if (first?.status !== 200) expect(first).toMatchObject({ status: 503, code: "UNAVAILABLE", retryAfter: "1" });
    expect(await post(server.url, caller, request)).toMatchObject({ status: 200 });
    expect(await countSuccesses(actor)).toBe(1);
  },
  TIMEOUT_MS,
);

async function waitForBlocked(): Promise<void> {
  const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (const deadline = Date.now() + SLOWEST_MS; Date.now() < deadline; await sleep(20)) {
    if ((await desk.db.query(sql(text), [])).length > 0) return;
  }
  throw new Error("no statement waits for a lock");
}
