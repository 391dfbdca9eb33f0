import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase } from "#tests/database.ts";
import type { TestDatabase } from "#tests/database-copy.ts";
import { sql } from "#tests/sql.ts";
import { findDifferences } from "./books.ts";
import { post } from "./client.ts";
import { type DatabaseProxy, startDatabaseProxy, statementNamed } from "./database-proxy.ts";
import { type Desk, openDesk } from "./desk.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { expectedSuccesses, type Fault, faults, type VerbName, verbs } from "./verbs.ts";

const FREE_WITHIN_MS = 5_000;
const POLL_MS = 200;

let database: TestDatabase;
let desk: Desk;
let proxy: DatabaseProxy;
let server: ServerProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  desk = await openDesk(database.url);
  proxy = await startDatabaseProxy(database.url);
  server = await startServer({ databaseUrl: proxy.url });
}, 60_000);
afterAll(async () => {
  await server?.kill();
  await proxy?.close();
  await desk?.close();
  await database?.drop();
});

const everyWrite = [
  "claim_idempotency_key",
  "hold_operations",
  "mark_operation_sent",
  "sandbox_decide_request",
  "settle_operations",
  "store_idempotent_answer",
];

const cases: readonly (readonly [VerbName, Fault, readonly string[]])[] = [
  ["register", "none", everyWrite],
  ["register", "refusesConnection", ["settle_operations", "release_idempotency_key"]],
  ["renew", "losesAnswer", ["hold_operations", "mark_operation_unknown"]],
  ["change_core", "none", ["hold_operations", "mark_operation_sent", "settle_operations"]],
  ["change_ip", "rejects", ["settle_operations", "store_idempotent_answer"]],
  ["bundle_register", "rejectsLastMember", ["hold_operations", "sandbox_decide_request", "settle_operations"]],
  ["bundle_change_ip", "none", ["hold_operations", "sandbox_decide_request", "settle_operations"]],
];

/** Codes of the provider's rejections. */
const refusals: Readonly<Partial<Record<Fault, readonly string[]>>> = {
  rejects: ["IP_CHANGE_FAILED"],
  rejectsLastMember: ["REGISTRATION_FAILED"],
  refusesConnection: ["PROVIDER_UNAVAILABLE"],
};

/** Codes for pending requests that never reached the provider (contract 1.11, 3.11). */
const neverReceived: Readonly<Partial<Record<VerbName, string>>> = {
  register: "REGISTRATION_FAILED",
  bundle_register: "REGISTRATION_FAILED",
  bundle_change_ip: "IP_CHANGE_FAILED",
};

/** Retries as Retry-After says: a live server releases a claim whose response was lost. */
async function postUntilFree(caller: Parameters<typeof post>[1], request: Parameters<typeof post>[2]) {
  for (const deadline = Date.now() + FREE_WITHIN_MS; ; await sleep(POLL_MS)) {
    const answer = await post(server.url, caller, request);
    if (answer?.code !== "IDEMPOTENCY_IN_PROGRESS" || Date.now() > deadline) return answer;
  }
}

describe.each(cases)("%s, provider %s: the connection breaks at", (verb, fault, statements) => {
  test.each(
    statements.flatMap((statement) => [
      [statement, "before the answer", true] as const,
      [statement, "before the statement", false] as const,
    ]),
  )("%s, %s: no 500, one charge", async (statement, _, arrives) => {
    const buyer = await desk.newBuyer("500");
    const request = await verbs[verb].prepare(desk, buyer, faults[fault]);
    const { apiKey, actor } = await desk.newKey(buyer.resellerId);
    const caller = { apiKey, idempotencyKey: randomUUID() };
    let broken = false;
    // Claims of earlier tests are released again meanwhile.
    const parameter = statement === "release_idempotency_key" ? caller.idempotencyKey : "";
    void proxy.breakAt(statementNamed(statement), { arrives, parameter }).then(() => {
      broken = true;
    });
    const first = await post(server.url, caller, request);

    expect({ broken, first }).toMatchObject({ broken: true });
    expect(first?.status).not.toBe(500);
    if (first?.code === "UNAVAILABLE") expect(first).toMatchObject({ status: 503, retryAfter: "1" });
    // A retry before any sweep.
    const second = await post(server.url, caller, request);
    expect(["", "IDEMPOTENCY_IN_PROGRESS", ...(refusals[fault] ?? [])]).toContain(second?.code);
    await desk.reconcile();
    const last = await postUntilFree(caller, request);
    const wasPending = first?.status === 202 || second?.status === 202;
    const isRejected = wasPending && last?.code === neverReceived[verb];
    if (!isRejected) expect(["", ...(refusals[fault] ?? [])]).toContain(last?.code);
    await desk.reconcile();

    expect(await findDifferences(desk.db)).toEqual([]);
    const text = "select from operations where actor = $1 and state = 'succeeded'";
    const successes = (await desk.db.query(sql(text), [actor])).length;
    const expected = expectedSuccesses(verb, fault);
    // A request that never reached the provider is rejected, also for a caller that was answered "pending".
    expect(isRejected && statement === "sandbox_decide_request" ? 0 : expected).toBe(successes);
    expect(server.hasEnded()).toBe(false);
    await desk.clearRehearsed();
  });
});

test("a change that is done and charged is reported so, although the response to its settlement was lost", async () => {
  const buyer = await desk.newBuyer("500");
  const request = await verbs.register.prepare(desk, buyer, null);
  const { apiKey } = await desk.newKey(buyer.resellerId);
  void proxy.breakAt(statementNamed("settle_operations"), { arrives: true });
  expect(await post(server.url, { apiKey }, request)).toMatchObject({ status: 200 });
  expect(await findDifferences(desk.db)).toEqual([]);
});

test("a change that is done and could not be recorded is recorded on retry, and reported so", async () => {
  const buyer = await desk.newBuyer("500");
  const request = await verbs.register.prepare(desk, buyer, null);
  const { apiKey } = await desk.newKey(buyer.resellerId);
  void proxy.breakAt(statementNamed("settle_operations"), { arrives: false });
  expect(await post(server.url, { apiKey }, request)).toMatchObject({ status: 200 });
  expect(await findDifferences(desk.db)).toEqual([]);
});
