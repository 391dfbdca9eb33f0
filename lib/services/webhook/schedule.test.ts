import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { formatEventId } from "#lib/domain/ids.ts";
import { MAX_ATTEMPTS, retryDelaysMs } from "#lib/domain/retry.ts";
import { sql } from "#tests/sql.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getWebhookEndpoint } from "./get.ts";
import { getWebhookEvent } from "./get-event.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";
import { updateWebhookEndpoint } from "./update.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let world: World;
let webhooks: Webhooks;
let reseller: ResellerWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await newWorld();
  webhooks = newWebhooks(world);
});
beforeEach(async () => {
  await world.db.query(sql("truncate webhook_endpoints cascade"), []);
  // Verifiers use the real clock.
  world.setClock(new Date());
  reseller = await world.reseller();
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

const newEndpoint = (options: object = {}) => webhooks.endpoint(reseller.id, { url: receiver.url, ...options });
const endpointNow = (endpointId: number) => getWebhookEndpoint(webhooks.context(reseller.id), { endpointId });

async function onlyDelivery() {
  const [delivery, ...others] = await webhooks.deliveries();
  expect(others).toEqual([]);
  if (!delivery) throw new Error("no delivery");
  return delivery;
}

describe("the schedule (contract 4.3)", () => {
  test("has ten attempts at the planned times with one webhook-id, then fails", async () => {
    receiver.answerWith(answers.status(500));
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    for (let failures = 1; failures < MAX_ATTEMPTS; failures++) {
      expect(await webhooks.deliver()).toBe(1);
      const { next_attempt_at, state } = await onlyDelivery();
      expect(state).toBe("pending");
      const waitMs = next_attempt_at.getTime() - world.now().getTime();
      const plannedMs = retryDelaysMs[failures] ?? 0;
      expect(Math.abs(waitMs - plannedMs)).toBeLessThanOrEqual(plannedMs * 0.1 + 1);
      world.advance(waitMs - 1);
      expect(await webhooks.deliver()).toBe(0);
      world.advance(1);
    }
    expect(await webhooks.deliver()).toBe(1);
    expect(await onlyDelivery()).toMatchObject({ state: "failed", attempt_count: 10, owner_id: null });
    world.advance(10 * DAY_MS);
    expect(await webhooks.deliver()).toBe(0);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(
      new Set([formatEventId(eventId)]),
    );
    const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
    expect(deliveries[0]?.attempts.map(({ number, status, error, manual }) => [number, status, error, manual])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index + 1, 500, null, false]),
    );
  });

  test.each([301, 302, 307, 308, 400, 404, 429, 500, 503])("%i is a failure, and is retried", async (status) => {
    receiver.answerWith(answers.status(status, { Location: receiver.url }));
    await newEndpoint();
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect(await onlyDelivery()).toMatchObject({ state: "pending", failure_count: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  test.each([200, 201, 202, 204, 299])("%i is success", async (status) => {
    receiver.answerWith(answers.status(status));
    await newEndpoint();
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect(await onlyDelivery()).toMatchObject({ state: "succeeded", failure_count: 0 });
  });

  test("a timeout is a failure with that reason in the log", async () => {
    receiver.answerWith(answers.never);
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    await webhooks.deliver();
    const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
    expect(deliveries[0]).toMatchObject({
      state: "pending",
      lastStatus: null,
      lastError: "No response within a second.",
    });
  });

  test("Retry-After is honored, in seconds and as a date, up to a day", async () => {
    await newEndpoint();
    for (const [header, seconds] of [
      ["120", 120],
      [new Date(world.now().getTime() + 600_000).toUTCString(), 599],
      ["999999999", 86_400],
    ] as const) {
      receiver.answerWith(answers.status(503, { "Retry-After": header }));
      await world.db.query(sql("delete from webhook_deliveries"), []);
      await webhooks.emit(reseller.id);
      await webhooks.deliver();
      const waitMs = (await onlyDelivery()).next_attempt_at.getTime() - world.now().getTime();
      expect(Math.abs(waitMs / 1000 - seconds)).toBeLessThanOrEqual(1);
    }
  });
});

describe("an endpoint is disabled (contract 4.3)", () => {
  const audits = () =>
    world.db.query(
      sql(
        "select action, actor, subject, reason, request_id from audit_entries where reseller_id = $1 and action = 'webhook.disable'",
      ),
      [reseller.id],
    );

  test("by 410 immediately; waiting deliveries are discarded, and the endpoint shows the reason", async () => {
    receiver.answerWith(answers.status(410));
    const { id } = await newEndpoint({ concurrency: 1 });
    for (let i = 0; i < 3; i++) await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect((await webhooks.deliveries()).map(({ state }) => state)).toEqual(["failed", "discarded", "discarded"]);
    expect(await endpointNow(id)).toMatchObject({
      status: "disabled",
      disabledReason: "gone",
      disabledAt: world.now(),
    });
    expect(await audits()).toEqual([
      {
        action: "webhook.disable",
        actor: "system:worker",
        subject: `webhook_endpoint:${id}`,
        reason: "gone",
        request_id: "req_test",
      },
    ]);
    await webhooks.emit(reseller.id);
    expect(await webhooks.deliveries()).toHaveLength(3);
    expect(receiver.received).toHaveLength(1);
  });

  test("by 410, which discards what fails at the same time, but not what succeeds", async () => {
    const { id } = await newEndpoint();
    let answered = 0;
    receiver.answerWith(async (response) => {
      const status = [410, 500, 204][answered++] ?? 204;
      const isDisabled = async () => (await endpointNow(id)).status === "disabled";
      await vi.waitUntil(status === 410 ? () => answered === 3 : isDisabled);
      response.writeHead(status).end();
    });
    for (let i = 0; i < 3; i++) await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect((await webhooks.deliveries()).map(({ state }) => state).toSorted()).toEqual([
      "discarded",
      "failed",
      "succeeded",
    ]);
  });

  test.each([410, 500])("not by a %i of its previous URL: the new one gets all at once", async (status) => {
    const next = await startReceiver();
    const { id: endpointId } = await newEndpoint({ concurrency: 1 });
    receiver.answerWith((response) => {
      const change = updateWebhookEndpoint(webhooks.context(reseller.id), { endpointId, url: next.url });
      void change.finally(() => response.writeHead(status).end());
    });
    for (let i = 0; i < 3; i++) await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect(await endpointNow(endpointId)).toMatchObject({ status: "active", url: next.url, firstFailedAt: null });
    expect(next.received).toHaveLength(3);
    expect(await audits()).toEqual([]);
    await next.close();
  });

  test("by only failures for five days, not earlier", async () => {
    receiver.answerWith(answers.status(500));
    const { id } = await newEndpoint();
    const failAt = async (ms: number) => {
      world.advance(ms);
      await webhooks.emit(reseller.id);
      await webhooks.deliver();
    };
    await failAt(0);
    for (let half = 1; half < 10; half++) await failAt(DAY_MS / 2);
    await failAt(DAY_MS / 2 - 1);
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
    await failAt(1);
    expect(await endpointNow(id)).toMatchObject({ status: "disabled", disabledReason: "failing" });
  });

  test("by failures five days apart, if nothing was due in between", async () => {
    receiver.answerWith(answers.status(500));
    const { id } = await newEndpoint();
    await webhooks.emit(reseller.id);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      await webhooks.deliver();
      world.setClock((await onlyDelivery()).next_attempt_at);
    }
    expect(await onlyDelivery()).toMatchObject({ state: "failed" });
    world.advance(3 * DAY_MS);
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect(await endpointNow(id)).toMatchObject({ status: "disabled", disabledReason: "failing" });
  });

  test("not by failures around days in which nothing that was due was attempted", async () => {
    receiver.answerWith(answers.status(500));
    const { id } = await newEndpoint();
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    world.advance(6 * DAY_MS);
    await webhooks.deliver();
    for (let half = 1; half < 10; half++) {
      world.advance(DAY_MS / 2);
      await webhooks.deliver();
    }
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
    world.advance(DAY_MS / 2);
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect(await endpointNow(id)).toMatchObject({ status: "disabled" });
  });

  test("not if it has succeeded in between; once resumed, it has five days again", async () => {
    const { id } = await newEndpoint();
    const send = async (status: number, afterMs: number) => {
      world.advance(afterMs);
      receiver.answerWith(answers.status(status));
      await webhooks.emit(reseller.id);
      await webhooks.deliver();
    };
    await send(500, 0);
    await send(200, 4 * DAY_MS);
    await send(500, 4 * DAY_MS);
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
    for (let half = 1; half <= 10; half++) await send(500, DAY_MS / 2);
    expect(await endpointNow(id)).toMatchObject({ status: "disabled" });
    await setWebhookEndpointPaused(webhooks.context(reseller.id), { endpointId: id, paused: false });
    await send(500, DAY_MS);
    expect(await endpointNow(id)).toMatchObject({ status: "active", disabledAt: null, disabledReason: null });
  });
});
