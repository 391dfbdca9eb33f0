import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createHttpWebhookSender } from "#lib/adapters/webhook-sender-http.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import { getWebhookEvent } from "#lib/services/webhook/get-event.ts";
import { sql } from "#tests/sql.ts";
import { type Answer, answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { LOOPBACK, newWebhooks, TIMEOUT_MS, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { startWebhookWorker } from "./webhook-worker.ts";

const realTime = { now: () => new Date() };
const SECOND_MS = 1_000;

let world: World;
let webhooks: Webhooks;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  world = await newWorld();
  webhooks = newWebhooks(world);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await world.db.query(sql("truncate webhook_endpoints, webhook_targets cascade"), []);
});
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

async function receiver(answer?: Answer, host?: string): Promise<Receiver> {
  const started = await startReceiver(answer, host);
  cleanups.push(() => started.close());
  return started;
}

/** Every name resolves to 127.0.0.1. */
function senderOfManyNames(): WebhookSender {
  const sender = createHttpWebhookSender({
    rules: LOOPBACK,
    timeoutMs: TIMEOUT_MS,
    resolve: async () => ["127.0.0.1"],
  });
  cleanups.push(() => sender.close());
  return sender;
}

function work(limits: { concurrency: number; perSecond: number }, sender = webhooks.sender, slots = 200): void {
  const webhookLimits = { ...limits, challengesPerHour: 1 };
  const settings = { ...webhooks.worker().settings, webhookLimits };
  const worker = startWebhookWorker(webhooks.worker({ ...realTime, settings }), sender, {
    logError: (error) => expect.unreachable(String(error)),
    pollEveryMs: 20,
    slots,
  });
  cleanups.push(() => worker.stop(2_000));
}

async function emit({ id }: ResellerWorld, count: number): Promise<void> {
  world.setClock(new Date());
  for (let i = 0; i < count; i++) await webhooks.emit(id);
}

/** Resellers that target one receiver with different names, ports and spellings, none resolved before. */
async function crowd(target: Receiver, other: Receiver, size: number): Promise<ResellerWorld[]> {
  const resellers: ResellerWorld[] = [];
  const [port, otherPort] = [new URL(target.url).port, new URL(other.url).port];
  for (let i = 0; i < size; i++) {
    const reseller = await world.reseller();
    const host = i % 2 === 0 ? `name-${i}.example` : "127.0.0.1";
    await webhooks.endpoint(reseller.id, { url: `http://${host}:${i % 3 === 0 ? otherPort : port}/`, concurrency: 10 });
    resellers.push(reseller);
  }
  await world.db.query(sql("update webhook_endpoints set target = null"), []);
  return resellers;
}

/** Maximum arrivals within any second. */
function mostInASecond(timesMs: readonly number[]): number {
  const sorted = timesMs.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + SECOND_MS).length));
}

test("one host never has more concurrent requests than its limit, across resellers, names, ports and two workers", async () => {
  let underWay = 0;
  let most = 0;
  const slow: Answer = (response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay -= 1;
      response.writeHead(204).end();
    }, 30);
  };
  const [one, two] = [await receiver(slow), await receiver(slow)];
  const resellers = await crowd(one, two, 6);
  for (const reseller of resellers) await emit(reseller, 12);
  const sender = senderOfManyNames();
  for (let i = 0; i < 2; i++) work({ concurrency: 5, perSecond: 10_000 }, sender);
  await vi.waitFor(() => expect(one.received.length + two.received.length).toBe(72), { timeout: 10_000 });
  expect(most).toBe(5);
  await vi.waitFor(async () => {
    const deliveries = await webhooks.deliveries();
    expect(new Set(deliveries.map(({ state, attempt_count }) => `${state} ${attempt_count}`))).toEqual(
      new Set(["succeeded 1"]),
    );
  }, 10_000);
});

test("one host gets at most its limit of requests per second, and waiting for it is not a failure", async () => {
  const target = await receiver();
  const resellers = await crowd(target, target, 4);
  for (const reseller of resellers) await emit(reseller, 20);
  const sender = senderOfManyNames();
  for (let i = 0; i < 2; i++) work({ concurrency: 50, perSecond: 20 }, sender);
  await vi.waitFor(() => expect(target.received).toHaveLength(80), { timeout: 15_000 });
  const timesMs = target.received.map(({ receivedAtMs }) => receivedAtMs);
  // A full bucket plus a second's refill.
  expect(mostInASecond(timesMs)).toBeLessThanOrEqual(2 * 20 + 2);
  expect(Math.max(...timesMs) - Math.min(...timesMs)).toBeGreaterThan(2.8 * SECOND_MS);
  await vi.waitFor(async () => {
    const deliveries = await webhooks.deliveries();
    expect(deliveries.map(({ state, attempt_count, failure_count }) => [state, attempt_count, failure_count])).toEqual(
      Array(80).fill(["succeeded", 1, 0]),
    );
  }, 10_000);
});

test("a crowded host does not delay deliveries to others, even with fewer slots than it could use", async () => {
  const quiet = await world.reseller();
  const healthy = await receiver(answers.status(204), "127.0.0.2");
  await webhooks.endpoint(quiet.id, { url: healthy.url });
  await world.db.query(sql("update webhook_endpoints set target = '127.0.0.2'"), []);
  const target = await receiver(answers.after(50));
  const resellers = await crowd(target, target, 4);
  await world.db.query(sql("update webhook_endpoints set target = '127.0.0.2' where reseller_id = $1"), [quiet.id]);
  work({ concurrency: 2, perSecond: 10 }, senderOfManyNames(), 8);
  for (const reseller of resellers) await emit(reseller, 60);
  await vi.waitFor(() => expect(target.received.length).toBeGreaterThan(0), 10_000);
  await emit(quiet, 20);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(20), { timeout: 10_000 });
  // The crowd's 240 events take 23 seconds.
  expect(target.received.length).toBeLessThan(120);
});

test("failing endpoints use at most half of a host's capacity", async () => {
  const silent = await receiver(answers.never);
  const healthy = await receiver();
  const [bad, good] = [await world.reseller(), await world.reseller()];
  for (let i = 0; i < 8; i++) await webhooks.endpoint(bad.id, { url: silent.url });
  await world.db.query(sql("update webhook_endpoints set first_failed_at = now()"), []);
  await webhooks.endpoint(good.id, { url: healthy.url });
  await emit(bad, 10);
  work({ concurrency: 4, perSecond: 10_000 });
  await vi.waitFor(() => expect(silent.received.length).toBeGreaterThan(0), 10_000);
  const begunAtMs = performance.now();
  await emit(good, 20);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(20), { timeout: 10_000 });
  expect(performance.now() - begunAtMs).toBeLessThan(6 * TIMEOUT_MS);
  expect(silent.mostUnderWay()).toBeLessThanOrEqual(2);
});

test("a host whose address has changed is counted at the new one, and the attempt is not counted twice", async () => {
  const reseller = await world.reseller();
  const target = await receiver();
  await webhooks.endpoint(reseller.id, { url: `http://moving.example:${new URL(target.url).port}/` });
  await world.db.query(sql("update webhook_endpoints set target = '127.0.0.9'"), []);
  world.setClock(new Date());
  const eventId = await webhooks.emit(reseller.id);
  work({ concurrency: 5, perSecond: 100 }, senderOfManyNames());
  await vi.waitFor(() => expect(target.received).toHaveLength(1), 10_000);
  await vi.waitFor(async () => {
    const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
    expect(deliveries[0]?.attempts).toMatchObject([{ number: 1, manual: false, succeeded: true }]);
  }, 10_000);
  expect(await world.db.query(sql("select target from webhook_endpoints"), [])).toEqual([{ target: "127.0.0.1" }]);
});
