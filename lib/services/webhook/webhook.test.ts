import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventKinds } from "#lib/domain/events.ts";
import { formatEventId } from "#lib/domain/ids.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { eventData } from "../../../scripts/openapi/event-bodies.ts";
import { createWebhookEndpoint } from "./create.ts";
import { listWebhookEndpoints } from "./list.ts";
import { listWebhookDeliveries } from "./list-deliveries.ts";
import { resendEvent } from "./resend.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { getWebhookEndpointStats, summarizeWebhookActivity } from "./stats.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let webhooks: Webhooks;
let reseller: ResellerWorld;
let receiver: Receiver;
const ctx = () => webhooks.context(reseller.id);

beforeAll(async () => {
  world = await newWorld();
  webhooks = newWebhooks(world);
});
beforeEach(async () => {
  await world.db.query(sql("truncate webhook_endpoints cascade"), []);
  await world.db.query(sql("delete from events"), []);
  reseller = await world.reseller({ funds: "0" });
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

const newEndpoint = (options: object = {}) => webhooks.endpoint(reseller.id, { url: receiver.url, ...options });
const receivedIds = () => receiver.received.map(({ headers }) => headers["webhook-id"]);

describe("secrets", () => {
  test("are stored sealed for their endpoint only", async () => {
    const { secret } = await newEndpoint();
    const [row] = await world.db.query(sql("select * from webhook_endpoints"), []);
    expect(JSON.stringify(row)).not.toContain(secret.slice(6));
    expect(Buffer.from(row?.secret as Buffer).includes(Buffer.from(secret.slice(6), "base64"))).toBe(false);
  });

  test("are not created without ENCRYPTION_KEY, nor are endpoints", async () => {
    const change = { settings: { ...ctx().settings, sealingKey: null } };
    const create = createWebhookEndpoint(webhooks.context(reseller.id, change), { url: receiver.url });
    expect(await codeOf(create)).toBe("unavailable");
    expect(await listWebhookEndpoints(ctx())).toEqual([]);
  });
});

test("an account has at most 20 endpoints, however many are added at once", async () => {
  const add = () => createWebhookEndpoint(ctx(), { url: receiver.url });
  const added = await Promise.allSettled(Array.from({ length: 40 }, add));
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  expect(await codeOf(add())).toBe("conflict");
  const other = await world.reseller({ funds: "0" });
  await createWebhookEndpoint(webhooks.context(other.id), { url: receiver.url });
});

test("the longest description and the most requests at once are accepted, and nothing beyond", async () => {
  const add = (more: number) => newEndpoint({ description: "d".repeat(500 + more), concurrency: 10 + more });
  expect(await add(0)).toMatchObject({ id: expect.any(Number) });
  await expect(add(1)).rejects.toMatchObject({
    details: { description: expect.any(String), concurrency: expect.any(String) },
  });
});

test("only public https addresses are endpoints, unless the operator allows others (contract 4.4)", async () => {
  const { webhookTargets: _, ...settings } = ctx().settings;
  const strict = webhooks.context(reseller.id, { settings });
  for (const url of ["http://hooks.example.com/", "https://127.0.0.1/", "https://[::1]/", "https://0x7f.1/"]) {
    expect(await codeOf(createWebhookEndpoint(strict, { url }))).toBe("parameters_invalid");
  }
  await createWebhookEndpoint(strict, { url: "https://hooks.example.com/" });
});

test("a test event goes only to its endpoint, whatever its subscription, and so does its resend", async () => {
  const { id } = await newEndpoint({ events: ["license.expired"] });
  await newEndpoint();
  const { eventId } = await sendTestEvent(ctx(), { endpointId: id });
  await webhooks.deliver();
  expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
    { event: "license.activated", data: { test: true, license_id: "lic_0" } },
  ]);
  expect(await resendEvent(ctx(), { eventId })).toEqual({ endpointIds: [id] });
});

test.each(eventKinds)("a test event %s has the fields that the contract promises", async (kind) => {
  const { id } = await newEndpoint();
  const { eventId } = await sendTestEvent(ctx(), { endpointId: id, kind });
  await webhooks.deliver();
  const { event, data } = JSON.parse(receiver.received.at(-1)?.body ?? "");
  expect([event, data.test, formatEventId(eventId)]).toEqual([kind, true, receivedIds().at(-1)]);
  expect(eventData[kind].safeParse(data).error).toBeUndefined();
});

test("the log filters by endpoint, kind, outcome, license and time, page by page", async () => {
  const { id: endpointId } = await newEndpoint();
  await newEndpoint({ events: ["license.renewed"] });
  await webhooks.emit(reseller.id, "license.expired");
  await webhooks.deliver();
  world.advance(HOUR_MS);
  const from = world.now();
  const renewed = await webhooks.emit(reseller.id, "license.renewed");
  const count = async (filter: object) =>
    (await listWebhookDeliveries(ctx(), { filter, before: null, limit: 10 })).rows.length;
  expect(await count({})).toBe(3);
  expect(await count({ endpointId })).toBe(2);
  expect(await count({ kind: "license.renewed" })).toBe(2);
  expect(await count({ state: "succeeded" })).toBe(1);
  expect(await count({ state: "pending", kind: "license.expired" })).toBe(0);
  expect(await count({ licenseId: 1 })).toBe(0);
  expect(await count({ from })).toBe(2);
  expect(await count({ until: from })).toBe(1);
  const first = await listWebhookDeliveries(ctx(), { filter: {}, before: null, limit: 2 });
  expect(first.rows.map(({ eventId }) => eventId)).toEqual([renewed, renewed]);
  const second = await listWebhookDeliveries(ctx(), { filter: {}, before: first.next, limit: 2 });
  expect([second.rows.length, second.next]).toEqual([1, null]);
});

test("statistics over time: successes, failures, and the duration of successes", async () => {
  const { id: endpointId } = await newEndpoint();
  await webhooks.emit(reseller.id);
  await webhooks.deliver();
  world.advance(HOUR_MS);
  receiver.answerWith(answers.status(500));
  await webhooks.emit(reseller.id);
  await webhooks.deliver();
  world.advance(1);
  const buckets = await getWebhookEndpointStats(ctx(), { endpointId, spanMs: 2 * HOUR_MS, buckets: 4 });
  expect(buckets.map(({ succeeded, failed }) => [succeeded, failed])).toEqual([
    [0, 0],
    [1, 0],
    [0, 0],
    [0, 1],
  ]);
  expect(buckets.map(({ p95Ms }) => p95Ms === null)).toEqual([true, false, true, true]);
  expect(buckets[0]?.from).toEqual(new Date(world.now().getTime() - 2 * HOUR_MS));
  const since = new Date(world.now().getTime() - DAY_MS);
  expect(await summarizeWebhookActivity(ctx(), { since })).toMatchObject([
    { endpointId, succeeded: 1, failed: 1, lastAttemptAt: new Date(world.now().getTime() - 1) },
  ]);
});

test("events are deleted after 30 days with their deliveries and attempts, however many, and no younger ones", async () => {
  await newEndpoint();
  const insert = `insert into events (id, reseller_id, kind, data, occurred_at)
                  select gen_random_uuid(), $1, 'license.renewed', '{}', $2 from generate_series(1, $3::int)`;
  const at = (ms: number) => new Date(world.now().getTime() - ms);
  await world.db.query(sql(insert), [reseller.id, at(30 * DAY_MS + 1), 1_200]);
  await world.db.query(sql(insert), [reseller.id, at(30 * DAY_MS - 1), 3]);
  await world.db.query(
    sql(`insert into webhook_attempts (delivery_id, endpoint_id, number, manual, started_at)
           select id, endpoint_id, 1, false, created_at from webhook_deliveries`),
    [],
  );
  expect(await pruneOldRecords(world.operator)).toMatchObject({ events: 1_200 });
  for (const table of ["events", "webhook_deliveries", "webhook_attempts"]) {
    expect([table, (await world.db.query(sql(`select from ${table}`), [])).length]).toEqual([table, 3]);
  }
});
