import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventKinds } from "#lib/domain/events.ts";
import { formatEventId } from "#lib/domain/ids.ts";
import { eventData } from "#lib/http/event-answers.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createWebhookEndpoint } from "./create.ts";
import { getWebhookDelivery } from "./get-delivery.ts";
import { getWebhookEvent } from "./get-event.ts";
import { listWebhookEndpoints } from "./list.ts";
import { listWebhookDeliveries } from "./list-deliveries.ts";
import { countWebhooksNotDelivered, resendDelivery, resendEvent, resendNotDelivered } from "./resend.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";
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

async function exhaust(): Promise<void> {
  receiver.answerWith(answers.status(500));
  for (let attempt = 0; attempt < 10; attempt++) {
    await webhooks.deliver();
    const next = (await webhooks.deliveries()).map(({ next_attempt_at }) => next_attempt_at.getTime());
    world.setClock(new Date(Math.max(...next)));
  }
  receiver.answerWith(answers.status(204));
}

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

test("only public https addresses are endpoints, unless the operator allows others (contract 4.4)", async () => {
  const { webhookTargets: _, ...settings } = ctx().settings;
  const strict = webhooks.context(reseller.id, { settings });
  for (const url of ["http://hooks.example.com/", "https://127.0.0.1/", "https://[::1]/", "https://0x7f.1/"]) {
    expect(await codeOf(createWebhookEndpoint(strict, { url }))).toBe("parameters_invalid");
  }
  await createWebhookEndpoint(strict, { url: "https://hooks.example.com/" });
});

describe("resending", () => {
  test("one delivery: immediately, with the same webhook-id, marked in the log, with a restarted schedule", async () => {
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    await exhaust();
    const { deliveries } = await listWebhookDeliveries(ctx(), { filter: { state: "failed" }, before: null, limit: 10 });
    const deliveryId = deliveries[0]?.id ?? "";
    receiver.answerWith(answers.status(503));
    await resendDelivery(ctx(), { deliveryId });
    await webhooks.deliver();
    expect(await getWebhookDelivery(ctx(), { deliveryId })).toMatchObject({ state: "pending", attemptCount: 11 });
    const wait = (await webhooks.deliveries())[0]?.next_attempt_at.getTime() ?? 0;
    expect(wait - world.now().getTime()).toBeLessThan(6_000);
    receiver.answerWith(answers.status(204));
    world.advance(6_000);
    await webhooks.deliver();
    expect(new Set(receivedIds())).toEqual(new Set([formatEventId(eventId)]));
    const [details] = (await getWebhookEvent(ctx(), { eventId })).deliveries;
    expect(details).toMatchObject({ state: "succeeded" });
    expect(details?.attempts.slice(-3).map(({ manual, status }) => [manual, status])).toEqual([
      [false, 500],
      [true, 503],
      [false, 204],
    ]);
  });

  test("during an attempt: another one follows", async () => {
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    let resent = false;
    receiver.answerWith((response) => {
      const answer = () => response.writeHead(204).end();
      if (resent) return void answer();
      resent = true;
      void resendEvent(ctx(), { eventId }).then(answer);
    });
    await webhooks.deliver();
    expect(receivedIds()).toEqual([formatEventId(eventId), formatEventId(eventId)]);
    expect(await webhooks.deliveries()).toMatchObject([{ state: "succeeded", attempt_count: 2 }]);
  });

  test("an event: to every endpoint subscribed to its kind, even a newer one, or to any one endpoint", async () => {
    const first = await newEndpoint();
    const eventId = await webhooks.emit(reseller.id, "license.renewed");
    await webhooks.deliver();
    const later = await newEndpoint({ events: ["license.renewed"] });
    const other = await newEndpoint({ events: ["license.expired"] });
    const paused = await newEndpoint();
    await setWebhookEndpointPaused(ctx(), { endpointId: paused.id, paused: true });
    expect(await resendEvent(ctx(), { eventId })).toEqual({ endpointIds: [first.id, later.id] });
    expect(await resendEvent(ctx(), { eventId, endpointId: other.id })).toEqual({ endpointIds: [other.id] });
    expect(await codeOf(resendEvent(ctx(), { eventId, endpointId: paused.id }))).toBe("conflict");
    expect(await webhooks.deliver()).toBe(3);
    expect(new Set(receivedIds())).toEqual(new Set([formatEventId(eventId)]));
  });

  test("all undelivered events of an endpoint since a time, counted before", async () => {
    const { id: endpointId } = await newEndpoint();
    const early = await webhooks.emit(reseller.id);
    world.advance(HOUR_MS);
    const since = world.now();
    const late = [await webhooks.emit(reseller.id), await webhooks.emit(reseller.id)];
    await exhaust();
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    const begun = receiver.received.length;
    expect(await countWebhooksNotDelivered(ctx(), { endpointId, since })).toBe(2);
    expect(await resendNotDelivered(ctx(), { endpointId, since })).toEqual({ resent: 2 });
    await webhooks.deliver();
    expect(receivedIds().slice(begun).toSorted()).toEqual(late.map(formatEventId).toSorted());
    expect(receivedIds().slice(begun)).not.toContain(formatEventId(early));
    expect(await countWebhooksNotDelivered(ctx(), { endpointId, since })).toBe(0);
  });
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
    (await listWebhookDeliveries(ctx(), { filter, before: null, limit: 10 })).deliveries.length;
  expect(await count({})).toBe(3);
  expect(await count({ endpointId })).toBe(2);
  expect(await count({ kind: "license.renewed" })).toBe(2);
  expect(await count({ state: "succeeded" })).toBe(1);
  expect(await count({ state: "pending", kind: "license.expired" })).toBe(0);
  expect(await count({ licenseId: 1 })).toBe(0);
  expect(await count({ from })).toBe(2);
  expect(await count({ until: from })).toBe(1);
  const first = await listWebhookDeliveries(ctx(), { filter: {}, before: null, limit: 2 });
  expect(first.deliveries.map(({ eventId }) => eventId)).toEqual([renewed, renewed]);
  const second = await listWebhookDeliveries(ctx(), { filter: {}, before: first.nextBefore, limit: 2 });
  expect([second.deliveries.length, second.nextBefore]).toEqual([1, null]);
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
    { endpointId, succeeded: 1, failed: 1, waiting: 1, lastAttemptAt: new Date(world.now().getTime() - 1) },
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
