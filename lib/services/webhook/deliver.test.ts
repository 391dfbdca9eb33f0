import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatEventId } from "#lib/domain/ids.ts";
import { sql } from "#tests/sql.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { attemptDelivery, claimDueDeliveries } from "./deliver.ts";
import { getWebhookEvent } from "./get-event.ts";
import { resendEvent } from "./resend.ts";
import { rotateWebhookSecret } from "./rotate-secret.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";

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
  await world.db.query(sql("truncate webhook_endpoints, webhook_targets cascade"), []);
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
const headersOf = (index: number) => receiver.received[index]?.headers as Record<string, string>;

test("a registration's event arrives with the documented payload, genuine to independent libraries (contract 4.1, 4.2)", async () => {
  const { secret } = await newEndpoint();
  const { licenseId } = await reseller.register({ type: "web_server" });
  await webhooks.deliver();
  const webhook = receiver.received.find(({ body }) => body.includes("license.activated"));
  const { ipAddress } = await reseller.license(licenseId);
  expect(JSON.parse(webhook?.body ?? "")).toMatchObject({
    event: "license.activated",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    data: { license_id: `lic_${licenseId}`, type: "web_server", server: ipAddress },
  });
  for (const verifier of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
    const headers = webhook?.headers as Record<string, string>;
    verifier.verify(webhook?.body ?? "", headers);
    expect(() => verifier.verify(`${webhook?.body} `, headers)).toThrow();
  }
});

test("for 24 hours after a rotation both secrets sign, then only the new one (contract 4.2)", async () => {
  const { id, secret: old } = await newEndpoint();
  const { secret } = await rotateWebhookSecret(webhooks.context(reseller.id), { endpointId: id });
  await webhooks.emit(reseller.id);
  await webhooks.deliver();
  for (const each of [old, secret]) new StandardWebhook(each).verify(receiver.received[0]?.body ?? "", headersOf(0));
  world.advance(DAY_MS);
  await webhooks.emit(reseller.id);
  await webhooks.deliver();
  expect(headersOf(1)["webhook-signature"]?.split(" ")).toHaveLength(1);
  expect(headersOf(0)["webhook-signature"]?.split(" ")).toHaveLength(2);
});

describe("what is queued", () => {
  test("an event for every endpoint of its reseller that is subscribed to its kind", async () => {
    const other = await world.reseller();
    const all = await newEndpoint();
    const some = await newEndpoint({ events: ["license.expired", "wallet.topped_up"] });
    await newEndpoint({ events: ["license.expired"] });
    await webhooks.endpoint(other.id, { url: receiver.url });
    await webhooks.emit(reseller.id, "wallet.topped_up");
    expect((await webhooks.deliveries()).map(({ endpoint_id }) => endpoint_id)).toEqual([all.id, some.id]);
  });

  test("nothing while an endpoint is paused; waiting deliveries continue afterwards", async () => {
    const { id } = await newEndpoint();
    await webhooks.emit(reseller.id);
    const set = (paused: boolean) =>
      setWebhookEndpointPaused(webhooks.context(reseller.id), { endpointId: id, paused });
    expect(await set(true)).toMatchObject({ status: "paused" });
    await webhooks.emit(reseller.id);
    expect(await webhooks.deliver()).toBe(0);
    expect(await set(false)).toMatchObject({ status: "active" });
    expect(await webhooks.deliver()).toBe(1);
  });

  test("nothing of a transaction that is rolled back", async () => {
    await newEndpoint();
    await expect(
      world.db.prisma.$transaction(async (tx) => {
        await tx.event.create({
          data: {
            id: crypto.randomUUID(),
            resellerId: reseller.id,
            kind: "license.renewed",
            data: {},
            occurredAt: world.now(),
          },
        });
        expect(await tx.webhookDelivery.count()).toBe(1);
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(await webhooks.deliveries()).toEqual([]);
  });

  test("a deleted endpoint does not block charges that emit events", async () => {
    const { id } = await newEndpoint();
    await Promise.all([
      world.db.query(sql("delete from webhook_endpoints where id = $1"), [id]),
      ...Array.from({ length: 5 }, () => reseller.register()),
    ]);
    expect(await reseller.operations()).toHaveLength(5);
  });
});

describe("leases", () => {
  const claim = () => claimDueDeliveries(webhooks.worker(), { slots: 10, failingSlots: 10 });

  test("a delivery belongs to one process while it lives; then it is repeated, as the log shows", async () => {
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    expect(await claim()).toHaveLength(1);
    world.advance(DAY_MS);
    expect(await claim()).toEqual([]);
    await world.crash();
    expect(await webhooks.deliver()).toBe(1);
    const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
    expect(deliveries[0]?.attempts).toMatchObject([
      { number: 1, succeeded: null, error: expect.stringContaining("process that sent it has ended") },
      { number: 2, succeeded: true, status: 204, error: null },
    ]);
  });

  test("a claim leaves the deliveries of an endpoint that is being deleted, instead of a deadlock", async () => {
    const [deleted, kept] = [await newEndpoint(), await newEndpoint()];
    await webhooks.emit(reseller.id);
    const deletion = await world.db.begin();
    await deletion.query(sql("select from webhook_endpoints where id = $1 for update"), [deleted.id]);
    const claimed = await claim();
    await deletion.query(sql("delete from webhook_endpoints where id = $1"), [deleted.id]);
    await deletion.commit();
    expect(claimed.map(({ endpointId }) => endpointId)).toEqual([kept.id]);
  });

  test("a result that comes once another process has the delivery is only logged", async () => {
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    receiver.answerWith((response) => {
      const taken = world.crash().then(claim);
      void taken.finally(() => response.writeHead(204).end());
    });
    const [delivery] = await claim();
    if (!delivery) throw new Error("nothing was claimed");
    await attemptDelivery(webhooks.worker(), { delivery, sender: webhooks.sender });
    expect(await webhooks.deliveries()).toMatchObject([{ state: "pending", owner_id: expect.any(String) }]);
    const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
    expect(deliveries[0]?.attempts.map(({ succeeded }) => succeeded)).toEqual([true, null]);
  });

  test("concurrent workers get each delivery once, and never exceed an endpoint's concurrency", async () => {
    const few = await newEndpoint({ concurrency: 3 });
    const many = await newEndpoint({ concurrency: 10 });
    for (let i = 0; i < 20; i++) await webhooks.emit(reseller.id);
    const claimed = (await Promise.all(Array.from({ length: 12 }, claim))).flat();
    const count = (id: number) => claimed.filter(({ endpointId }) => endpointId === id).length;
    expect([count(few.id), count(many.id)]).toEqual([3, 10]);
    expect(new Set(claimed.map(({ deliveryId }) => deliveryId)).size).toBe(13);
  });

  test("when slots are scarce, endpoints take turns: none waits behind another's backlog", async () => {
    const busy = await newEndpoint({ concurrency: 10 });
    for (let i = 0; i < 50; i++) await webhooks.emit(reseller.id);
    world.advance(HOUR_MS);
    const quiet = await newEndpoint();
    await webhooks.emit(reseller.id);
    const claimed = await claimDueDeliveries(webhooks.worker(), { slots: 2, failingSlots: 2 });
    expect(claimed.map(({ endpointId }) => endpointId).toSorted()).toEqual([busy.id, quiet.id]);
  });

  test("a reseller's slow endpoints, its sandbox's included, leave half of a worker's slots to others", async () => {
    const sandbox = await sandboxOf(world, reseller);
    const owners = [reseller, sandbox].flatMap((owner) => Array.from({ length: 10 }, () => owner.id));
    for (const [index, ownerId] of owners.entries()) {
      const { id } = await webhooks.endpoint(ownerId, { url: receiver.url, concurrency: 10 });
      await world.db.query(sql("update webhook_endpoints set target = $2 where id = $1"), [id, `192.0.2.${index}`]);
    }
    for (let i = 0; i < 10; i++) await Promise.all([webhooks.emit(reseller.id), webhooks.emit(sandbox.id)]);
    const claimAll = async () =>
      (await claimDueDeliveries(webhooks.worker(), { slots: 200, failingSlots: 100 })).length;
    expect(await claimAll()).toBe(100);
    expect(await claimAll()).toBe(0);
    const other = await world.reseller();
    await webhooks.endpoint(other.id, { url: receiver.url });
    await webhooks.emit(other.id);
    expect(await claimAll()).toBe(1);
  });

  test("failing endpoints get one delivery at a time, and only their share of the slots", async () => {
    for (let i = 0; i < 4; i++) await newEndpoint({ concurrency: 5 });
    await webhooks.emit(reseller.id);
    receiver.answerWith(answers.status(500));
    await webhooks.deliver();
    for (let i = 0; i < 5; i++) await webhooks.emit(reseller.id);
    const claimed = await claimDueDeliveries(webhooks.worker(), { slots: 10, failingSlots: 3 });
    expect(claimed).toHaveLength(3);
    expect(new Set(claimed.map(({ endpointId }) => endpointId)).size).toBe(3);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  test("an endpoint whose host is not resolved yet gets one delivery at a time", async () => {
    const { id } = await newEndpoint({ concurrency: 5 });
    await world.db.query(sql("update webhook_endpoints set target = null where id = $1"), [id]);
    for (let i = 0; i < 3; i++) await webhooks.emit(reseller.id);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });

  test("a free slot is for the endpoint with the fewest deliveries in flight", async () => {
    await newEndpoint();
    for (let i = 0; i < 3; i++) await webhooks.emit(reseller.id);
    const one = () => claimDueDeliveries(webhooks.worker(), { slots: 1, failingSlots: 1 });
    expect(await one()).toHaveLength(1);
    world.advance(1_000);
    const idle = await newEndpoint();
    await webhooks.emit(reseller.id);
    expect(await one()).toMatchObject([{ endpointId: idle.id }]);
  });

  test("an ordered endpoint's delivery that is sent again waits for the one under way", async () => {
    await newEndpoint({ ordered: true, concurrency: 5 });
    const eventId = await webhooks.emit(reseller.id);
    await webhooks.deliver();
    await webhooks.emit(reseller.id);
    expect(await claim()).toHaveLength(1);
    await resendEvent(webhooks.context(reseller.id), { eventId });
    expect(await claim()).toEqual([]);
  });
});

test("an ordered endpoint gets one delivery at a time in the order of the events, even after a failure", async () => {
  await newEndpoint({ ordered: true, concurrency: 10 });
  const events = [];
  for (let i = 0; i < 6; i++) events.push(formatEventId(await webhooks.emit(reseller.id)));
  receiver.answerWith(answers.status(500));
  expect(await webhooks.deliver()).toBe(1);
  receiver.answerWith(answers.status(204));
  world.advance(6_000);
  expect(await webhooks.deliver()).toBe(6);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([events[0], ...events]);
  expect(receiver.mostUnderWay()).toBe(1);
});

test("an unreadable secret is a failure with that reason, and nothing is sent", async () => {
  await newEndpoint();
  const eventId = await webhooks.emit(reseller.id);
  await world.db.query(sql("update webhook_endpoints set seal_id = gen_random_uuid()"), []);
  await webhooks.deliver();
  const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
  expect(deliveries[0]?.lastError).toContain("ENCRYPTION_KEY");
  expect(receiver.connections()).toBe(0);
});

test("an endpoint of a format that another version has added is left for it: its secret goes nowhere", async () => {
  await newEndpoint();
  const eventId = await webhooks.emit(reseller.id);
  await world.db.query(sql("alter type webhook_format add value 'discord'"), []);
  await world.db.query(sql("update webhook_endpoints set format = 'discord'"), []);
  expect(await webhooks.deliver()).toBe(0);
  await world.db.query(sql("update webhook_endpoints set format = 'standard'"), []);
  const { deliveries } = await getWebhookEvent(webhooks.context(reseller.id), { eventId });
  expect(deliveries).toMatchObject([{ state: "pending", attemptCount: 0, lastError: null }]);
  expect(await webhooks.deliver()).toBe(1);
});
