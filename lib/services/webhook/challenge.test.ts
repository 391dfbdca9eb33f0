import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { type Answer, answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { attemptDelivery, claimDueDeliveries } from "./deliver.ts";
import { getWebhookEndpoint } from "./get.ts";
import { listEvents } from "./list-events.ts";
import { countWebhooksNotDelivered, resendDelivery, resendEvent, resendNotDelivered } from "./resend.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";
import { summarizeWebhookActivity } from "./stats.ts";
import { updateWebhookEndpoint } from "./update.ts";
import { verifyWebhookEndpoint } from "./verify.ts";

const HOUR_MS = 3_600_000;
const ATTEMPTS = 3;

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
  await world.db.query(sql("truncate webhook_endpoints, webhook_targets cascade"), []);
  await world.db.query(sql("delete from events"), []);
  reseller = await world.reseller({ funds: "0" });
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

const newEndpoint = (options: object = {}) =>
  webhooks.endpoint(reseller.id, { url: receiver.url, ...options }, { pending: true });
const endpointNow = (endpointId: number) => getWebhookEndpoint(ctx(), { endpointId });
const entries = async (action: string) =>
  (
    await world.db.query(sql("select 1 from audit_entries where action = $1 and reseller_id = $2"), [
      action,
      reseller.id,
    ])
  ).length;

async function exhaust(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await webhooks.deliver();
    world.advance(HOUR_MS);
  }
}

describe("before an endpoint has met its challenge", () => {
  beforeEach(() => receiver.meetChallenges(false));

  const cases: readonly (readonly [string, Answer, RegExp])[] = [
    ["a success without the challenge", answers.status(204), /The answer is not the challenge/],
    ["a page that says 200 to everything", (r) => r.end("<h1>Welcome</h1>"), /is not the challenge/],
    ["what was sent, sent back", (r, { body }) => r.end(body), /is not the challenge/],
    [
      "the challenge with an error",
      (r, { body }) => r.writeHead(404).end(JSON.parse(body).data.challenge),
      /answered 404, not 2xx/,
    ],
    ["a redirect", answers.status(302, { Location: "/" }), /Redirects are not followed/],
    ["410", answers.status(410), /410 Gone/],
    ["nothing", answers.never, /No response within/],
  ];

  test.each(cases)("%s does not meet it, and no event is sent", async (_, answer, error) => {
    receiver.answerWith(answer);
    const { id } = await newEndpoint();
    await webhooks.emit(reseller.id);
    await webhooks.deliver();
    expect(receiver.challenges.length).toBeLessThanOrEqual(1);
    await exhaust();
    expect(receiver.received).toEqual([]);
    expect(receiver.challenges.length).toBeLessThanOrEqual(ATTEMPTS);
    expect(await endpointNow(id)).toMatchObject({
      status: "pending",
      challengeError: expect.stringMatching(error),
      firstFailedAt: null,
      disabledAt: null,
    });
  });

  test("only the challenge is sent to its host, whatever is requested", async () => {
    const { id } = await newEndpoint({ ordered: true });
    const eventId = await webhooks.emit(reseller.id);
    await exhaust();
    expect(await codeOf(sendTestEvent(ctx(), { endpointId: id }))).toBe("conflict");
    expect(await codeOf(resendEvent(ctx(), { eventId, endpointId: id }))).toBe("conflict");
    expect(await resendEvent(ctx(), { eventId })).toEqual({ endpointIds: [] });
    expect(await codeOf(resendNotDelivered(ctx(), { endpointId: id, since: new Date(0) }))).toBe("conflict");
    const delivery = (await webhooks.deliveries()).find(({ state }) => state === "pending");
    expect(await codeOf(resendDelivery(ctx(), { deliveryId: delivery?.id ?? "" }))).toBe("conflict");
    await setWebhookEndpointPaused(ctx(), { endpointId: id, paused: true });
    expect(await setWebhookEndpointPaused(ctx(), { endpointId: id, paused: false })).toMatchObject({
      status: "pending",
    });
    await exhaust();
    expect(receiver.received).toEqual([]);
    expect(receiver.challenges).toHaveLength(2 * ATTEMPTS);
  });

  test("its events of the first 24 hours are queued, later ones are not", async () => {
    await newEndpoint();
    await webhooks.emit(reseller.id);
    world.advance(24 * HOUR_MS - 1);
    await webhooks.emit(reseller.id);
    world.advance(1);
    await webhooks.emit(reseller.id);
    expect(await webhooks.deliveries()).toHaveLength(1 + 2);
  });
});

test("a receiver that meets the challenge gets the events right after creation, without a further step", async () => {
  const { id, secret } = await newEndpoint();
  expect(await endpointNow(id)).toMatchObject({ status: "pending" });
  const eventId = await webhooks.emit(reseller.id);
  await webhooks.deliver();
  expect(receiver.challenges).toHaveLength(1);
  const { headers, body } = receiver.challenges[0] ?? expect.unreachable();
  expect(headers["webhook-signature"]).toMatch(/^v1,/);
  expect(JSON.parse(body)).toEqual({
    event: CHALLENGE_KIND,
    timestamp: expect.any(String),
    data: { challenge: expect.stringMatching(/^[0-9a-f]{64}$/) },
  });
  expect(body).not.toContain(secret);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([`evt_${eventId}`]);
  expect(await endpointNow(id)).toMatchObject({ status: "active", pendingSince: null, challengeError: null });
  expect([await entries("webhook.challenge"), await entries("webhook.verify")]).toEqual([0, 1]);
});

test("a challenge is not listed, counted or resent", async () => {
  const { id } = await newEndpoint();
  await webhooks.deliver();
  expect((await listEvents(ctx(), { before: null, limit: 10 })).rows).toEqual([]);
  const [activity] = await summarizeWebhookActivity(ctx(), { since: new Date(0) });
  expect(activity).toMatchObject({ succeeded: 0, failed: 0, lastAttemptAt: null });
  const [delivery] = await webhooks.deliveries();
  expect(await codeOf(resendDelivery(ctx(), { deliveryId: delivery?.id ?? "" }))).toBe("conflict");
  await world.db.query(sql("update webhook_deliveries set state = 'failed'"), []);
  expect(await countWebhooksNotDelivered(ctx(), { endpointId: id, since: new Date(0) })).toBe(0);
  expect(await resendNotDelivered(ctx(), { endpointId: id, since: new Date(0) })).toEqual({ resent: 0 });
});

describe("verifying again", () => {
  test("sends a new challenge, after the receiver was corrected", async () => {
    receiver.meetChallenges(false);
    const { id } = await newEndpoint();
    await webhooks.emit(reseller.id);
    await exhaust();
    receiver.meetChallenges(true);
    expect(await webhooks.deliver()).toBe(0);
    expect(await verifyWebhookEndpoint(ctx(), { endpointId: id })).toMatchObject({
      status: "pending",
      challengeError: null,
    });
    expect(await entries("webhook.challenge")).toBe(1);
    await webhooks.deliver();
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
    expect(receiver.received).toHaveLength(1);
    const texts = receiver.challenges.map(({ body }) => JSON.parse(body).data.challenge);
    expect([new Set(texts).size, new Set(texts.slice(0, ATTEMPTS)).size]).toEqual([2, 1]);
  });

  test("does not change an active endpoint, and needs one that is neither paused nor disabled", async () => {
    const { id } = await webhooks.endpoint(reseller.id, { url: receiver.url });
    expect(await verifyWebhookEndpoint(ctx(), { endpointId: id })).toMatchObject({ status: "active" });
    expect(await webhooks.deliver()).toBe(0);
    await setWebhookEndpointPaused(ctx(), { endpointId: id, paused: true });
    expect(await codeOf(verifyWebhookEndpoint(ctx(), { endpointId: id }))).toBe("conflict");
  });

  test.each([true, false])("a response to a replaced challenge has no effect (met: %s)", async (isMet) => {
    const { id } = await newEndpoint();
    const claimed = [];
    for (;;) {
      const [delivery] = await claimDueDeliveries(webhooks.worker(), { slots: 1, failingSlots: 1 });
      if (!delivery) break;
      claimed.push(delivery);
      // The first claim only resolves the host.
      if (delivery.target === null) await attemptDelivery(webhooks.worker(), { delivery, sender: webhooks.sender });
    }
    const old = claimed.at(-1) ?? expect.unreachable();
    await verifyWebhookEndpoint(ctx(), { endpointId: id });
    receiver.meetChallenges(isMet);
    await attemptDelivery(webhooks.worker(), { delivery: old, sender: webhooks.sender });
    expect(await endpointNow(id)).toMatchObject({ status: "pending" });
    receiver.meetChallenges(true);
    await webhooks.deliver();
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
    expect((await webhooks.deliveries()).map(({ state }) => state)).not.toContain("pending");
  });
});

describe("another URL", () => {
  test("is challenged before anything is sent there, then gets the waiting deliveries", async () => {
    const { id } = await webhooks.endpoint(reseller.id, { url: receiver.url });
    const stranger = await startReceiver();
    stranger.meetChallenges(false);
    await updateWebhookEndpoint(ctx(), { endpointId: id, url: stranger.url });
    expect(await endpointNow(id)).toMatchObject({ status: "pending" });
    await webhooks.emit(reseller.id);
    await exhaust();
    expect([stranger.received.length, stranger.challenges.length]).toEqual([0, ATTEMPTS]);
    await updateWebhookEndpoint(ctx(), { endpointId: id, url: receiver.url });
    await webhooks.deliver();
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
    expect([receiver.received.length, stranger.received.length]).toEqual([1, 0]);
    await stranger.close();
  });

  test("does not become active by the previous URL's response", async () => {
    const { id } = await newEndpoint();
    await webhooks.deliver();
    const stranger = await startReceiver();
    stranger.meetChallenges(false);
    receiver.meetChallenges(true);
    await updateWebhookEndpoint(ctx(), { endpointId: id, url: `${receiver.url}/other` });
    const late = new Promise<void>((resolve) => {
      receiver.meetChallenges(false);
      receiver.answerWith((response, { body }) => {
        void updateWebhookEndpoint(ctx(), { endpointId: id, url: stranger.url }).then(() => {
          response.end(JSON.parse(body).data.challenge);
          resolve();
        });
      });
    });
    await Promise.all([late, webhooks.deliver()]);
    await exhaust();
    expect(await endpointNow(id)).toMatchObject({ status: "pending", url: stranger.url });
    await stranger.close();
  });

  test("the same URL, or another description, needs no challenge", async () => {
    const { id } = await webhooks.endpoint(reseller.id, { url: receiver.url });
    await updateWebhookEndpoint(ctx(), { endpointId: id, url: receiver.url, description: "x" });
    expect(await endpointNow(id)).toMatchObject({ status: "active" });
  });
});

describe("challenges are bounded", () => {
  test("60 per reseller and hour: the next endpoint stays pending with the reason, verifying is rate_limited", async () => {
    const { id } = await newEndpoint();
    const verify = () => verifyWebhookEndpoint(ctx(), { endpointId: id });
    for (let challenge = 1; challenge < 60; challenge++) await verify();
    await expect(verify()).rejects.toMatchObject({ code: "rate_limited", retryAfterSeconds: 3_600 });
    expect(await endpointNow(id)).toMatchObject({ status: "pending", challengeError: null });
    const other = await world.reseller();
    await webhooks.endpoint(other.id, { url: receiver.url }, { pending: true });
    const errors = await world.db.prisma.webhookEndpoint.findMany({ where: { challengeError: { not: null } } });
    expect(errors).toEqual([]);
    const next = await newEndpoint();
    expect(await endpointNow(next.id)).toMatchObject({
      status: "pending",
      challengeError: expect.stringContaining("60 challenges within an hour"),
    });
    // Replaced challenges are not sent.
    await webhooks.deliver();
    expect(receiver.challenges).toHaveLength(2);
    world.advance(HOUR_MS);
    expect(await verifyWebhookEndpoint(ctx(), { endpointId: next.id })).toMatchObject({ challengeError: null });
  });

  test("a limited number per host and hour, across resellers; the others wait and are no failures", async () => {
    receiver.meetChallenges(false);
    const resellers = await Promise.all(Array.from({ length: 4 }, () => world.reseller({ funds: "0" })));
    for (const { id } of resellers) {
      for (let i = 0; i < 2; i++) await webhooks.endpoint(id, { url: receiver.url }, { pending: true });
    }
    const webhookLimits = { ...DEFAULT_TARGET_LIMITS, challengesPerHour: 3 };
    const worker = webhooks.worker({ settings: { ...webhooks.worker().settings, webhookLimits } });
    const deliver = async () => {
      for (;;) {
        const claimed = await claimDueDeliveries(worker, { slots: 50, failingSlots: 50 });
        if (claimed.length === 0) return;
        await Promise.all(claimed.map((delivery) => attemptDelivery(worker, { delivery, sender: webhooks.sender })));
      }
    };
    await deliver();
    expect(receiver.challenges).toHaveLength(3);
    world.advance(HOUR_MS / 3);
    await deliver();
    expect(receiver.challenges).toHaveLength(4);
    world.advance(10 * HOUR_MS);
    await deliver();
    expect(receiver.challenges).toHaveLength(7);
    const untried = (await webhooks.deliveries()).filter(({ attempt_count }) => attempt_count === 0);
    expect(untried.every(({ state, failure_count }) => state === "pending" && failure_count === 0)).toBe(true);
    // Events of active endpoints are not delayed.
    const quiet = await world.reseller({ funds: "0" });
    await webhooks.endpoint(quiet.id, { url: receiver.url });
    await webhooks.emit(quiet.id);
    await deliver();
    expect(receiver.received).toHaveLength(1);
  });
});

test("a challenge goes through the same guard: nothing is sent to an address that is not public", async () => {
  const { id } = await webhooks.endpoint(reseller.id, { url: receiver.url }, { pending: true });
  await world.db.query(sql("update webhook_endpoints set url = 'http://10.0.0.1/'"), []);
  await exhaust();
  expect(await endpointNow(id)).toMatchObject({ challengeError: expect.stringContaining("private or reserved") });
  expect(receiver.connections()).toBe(0);
});
