import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createHttpWebhookSender } from "#lib/adapters/webhook-sender-http.ts";
import { type EventId, formatEventId } from "#lib/domain/ids.ts";
import { getWebhookEvent } from "#lib/services/webhook/get-event.ts";
import { compiledCode } from "#tests/compiled-code.ts";
import { sql } from "#tests/sql.ts";
import { releaseDead } from "#tests/support/process.ts";
import { type Answer, answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { ENCRYPTION_KEY, LOOPBACK, newWebhooks, TIMEOUT_MS, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { startWebhookWorker } from "./webhook-worker.ts";

const realTime = { now: () => new Date() };
const root = join(import.meta.dirname, "..");

let world: World;
let webhooks: Webhooks;
const cleanups: (() => unknown)[] = [];
/** Repeats no delivery only because a busy machine takes long to answer it. */
const patient = createHttpWebhookSender({ rules: LOOPBACK, timeoutMs: 30_000 });

beforeAll(async () => {
  world = await newWorld();
  webhooks = newWebhooks(world);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await world.db.query(sql("truncate webhook_endpoints cascade"), []);
});
afterAll(async () => {
  await webhooks.sender.close();
  await patient.close();
  await world.close();
});

async function receiver(answer?: Answer): Promise<Receiver> {
  const started = await startReceiver(answer);
  cleanups.push(() => started.close());
  return started;
}

function work(options: { slots?: number; pollEveryMs?: number } = {}, sender = webhooks.sender) {
  const logError = (error: unknown) => expect.unreachable(String(error));
  const worker = startWebhookWorker(webhooks.worker(realTime), sender, { logError, pollEveryMs: 50, ...options });
  cleanups.push(() => worker.stop(2_000));
  return worker;
}

async function emit({ id }: ResellerWorld, count: number): Promise<EventId[]> {
  world.setClock(new Date());
  const ids: EventId[] = [];
  for (let i = 0; i < count; i++) ids.push(await webhooks.emit(id));
  return ids;
}

const states = async () => (await webhooks.deliveries()).map(({ state }) => state);

test("dead and failing endpoints do not delay others, even if they outnumber the slots", async () => {
  const [bad, good] = [await world.reseller(), await world.reseller()];
  const [silent, broken] = [await receiver(answers.never), await receiver(answers.status(500))];
  for (let i = 0; i < 10; i++) await webhooks.endpoint(bad.id, { url: silent.url, concurrency: 10 });
  for (let i = 0; i < 5; i++) await webhooks.endpoint(bad.id, { url: broken.url, concurrency: 10 });
  // Marked as failing, like dead endpoints after their first timeout.
  await world.db.query(sql("update webhook_endpoints set first_failed_at = now()"), []);
  const healthy = await receiver();
  await webhooks.endpoint(good.id, { url: healthy.url });
  await emit(bad, 20);
  work({ slots: 8 });
  await vi.waitFor(() => expect(silent.received.length).toBeGreaterThan(0), 10_000);
  const begunAtMs = performance.now();
  await emit(good, 40);
  await vi.waitFor(() => expect(healthy.received).toHaveLength(40), { timeout: 10_000 });
  const waitedMs = Math.max(...healthy.received.map(({ receivedAtMs }) => receivedAtMs)) - begunAtMs;
  expect(waitedMs).toBeLessThan(8 * TIMEOUT_MS);
});

test("two workers together never exceed an endpoint's concurrency, and use all of it", async () => {
  const reseller = await world.reseller();
  const slow = await receiver(answers.after(40));
  await webhooks.endpoint(reseller.id, { url: slow.url, concurrency: 3 });
  await emit(reseller, 30);
  work({}, patient);
  work({}, patient);
  await vi.waitFor(() => expect(slow.received).toHaveLength(30), { timeout: 10_000 });
  expect(slow.mostUnderWay()).toBe(3);
  await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(["succeeded"])), 10_000);
});

test("an ordered endpoint gets every event in order, from any number of workers", async () => {
  const reseller = await world.reseller();
  const slow = await receiver(answers.after(3));
  await webhooks.endpoint(reseller.id, { url: slow.url, ordered: true, concurrency: 10 });
  const ids = await emit(reseller, 25);
  for (let i = 0; i < 3; i++) work({}, patient);
  await vi.waitFor(() => expect(slow.received).toHaveLength(25), { timeout: 10_000 });
  expect(slow.received.map(({ headers }) => headers["webhook-id"])).toEqual(ids.map(formatEventId));
  expect(slow.mostUnderWay()).toBe(1);
});

test("an event adds one wake-up job in its transaction, and none while one waits", async () => {
  const reseller = await world.reseller();
  const { url } = await receiver();
  await webhooks.endpoint(reseller.id, { url });
  // Works without the queue's tables.
  await emit(reseller, 1);
  await runMigrations({ connectionString: world.url });
  const jobs = () => world.db.query(sql("select task_identifier from graphile_worker.jobs"), []);
  await emit(reseller, 3);
  expect(await jobs()).toEqual([{ task_identifier: "deliver_webhooks" }]);
  const worker = work({ pollEveryMs: 60_000 }, patient);
  await vi.waitFor(async () => expect(await states()).toEqual(Array(4).fill("succeeded")), 10_000);
  await emit(reseller, 1);
  worker.wake();
  await vi.waitFor(async () => expect(await states()).toEqual(Array(5).fill("succeeded")), 10_000);
});

test("stopping lets attempts in progress finish within the grace period", async () => {
  const reseller = await world.reseller();
  const slow = await receiver(answers.after(150));
  await webhooks.endpoint(reseller.id, { url: slow.url });
  await emit(reseller, 1);
  const worker = work({}, patient);
  await vi.waitFor(() => expect(slow.received).toHaveLength(1), 10_000);
  await worker.stop(10_000);
  expect(await states()).toEqual(["succeeded"]);
  await emit(reseller, 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(slow.received).toHaveLength(1);
});

describe("a worker that is killed", () => {
  function startProcess(crashAt: string): ChildProcess {
    const preload = ["--import", join(root, "tests/faults/crash-at.ts")];
    const child = spawn(process.execPath, [...preload, join(root, "tests/support/webhook-process.ts")], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        ...compiledCode,
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DATABASE_URL: world.url,
        API_KEY_PEPPER: PEPPER,
        NEXTAUTH_SECRET: PEPPER,
        ENCRYPTION_KEY,
        WEBHOOK_ALLOW_HTTP: "1",
        WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
        CRASH_AT: crashAt,
      },
    });
    cleanups.push(() => child.kill("SIGKILL"));
    return child;
  }

  test.each([
    ["before the request", "after:claim_webhook_deliveries", 1, 1],
    ["while it waits for the response", null, 2, 1],
    ["after the response, before the attempt is recorded", "before:record_webhook_attempts", 2, 1],
    ["while the attempt is recorded", "during:record_webhook_attempts", 2, 1],
    ["right after the attempt was recorded", "after:record_webhook_attempts", 1, 0],
  ])("%s loses nothing, and the log shows it", async (_, statement, requests, interrupted) => {
    const reseller = await world.reseller();
    const target = await receiver(statement === null ? answers.never : undefined);
    const { id } = await webhooks.endpoint(reseller.id, { url: target.url });
    const [eventId] = (await emit(reseller, 1)) as [EventId];
    // An empty claim has the same statement name: the first one finds this event.
    const child = startProcess(statement === null ? "" : `${statement}:1`);
    const ended = once(child, "exit");
    if (statement === null) {
      await vi.waitFor(() => expect(target.received).toHaveLength(1), { timeout: 15_000 });
      child.kill("SIGKILL");
    }
    expect((await ended)[1]).toBe("SIGKILL");
    target.answerWith(answers.status(204));
    world.setClock(new Date());
    const delivery = await vi.waitFor(async () => {
      // Again, because what the process had sent to the database is still carried out after its death.
      await releaseDead(world.db);
      await webhooks.deliver();
      const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
      expect(deliveries).toMatchObject([{ endpointId: id, state: "succeeded" }]);
      return deliveries[0];
    }, 15_000);
    // What was on its way to the database when the process died may or may not have arrived.
    const received = target.received.length;
    if (statement?.startsWith("during")) expect([1, 2]).toContain(received);
    else expect(received).toBe(requests);
    expect(new Set(target.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([formatEventId(eventId)]),
    );
    const lost = delivery?.attempts.filter(({ error }) => error?.includes("process that sent it has ended")) ?? [];
    expect(lost.length).toBe(statement?.startsWith("during") ? received - 1 : interrupted);
    expect(delivery?.attempts.at(-1)).toMatchObject({ succeeded: true, status: 204 });
  });
});
