import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { formatEventId } from "#lib/domain/ids.ts";
import { actorName } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { answers, type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getWebhookEvent } from "./get-event.ts";
import { listWebhookDeliveries } from "./list-deliveries.ts";
import { countWebhooksNotDelivered, resendDelivery, resendEvent, resendNotDelivered } from "./resend.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";

const HOUR_MS = 3_600_000;

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

describe("resending", () => {
  test("one delivery: immediately, with the same webhook-id, marked in the log, with a restarted schedule", async () => {
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    await exhaust();
    const { rows: deliveries } = await listWebhookDeliveries(ctx(), {
      filter: { state: "failed" },
      before: null,
      limit: 10,
    });
    const deliveryId = deliveries[0]?.id ?? "";
    receiver.answerWith(answers.status(503));
    await resendDelivery(ctx(), { deliveryId });
    await webhooks.deliver();
    const pending = await listWebhookDeliveries(ctx(), { filter: { state: "pending" }, before: null, limit: 10 });
    expect(pending.rows).toMatchObject([{ id: deliveryId, attemptCount: 11 }]);
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

  test.each([204, 500])("during an attempt that gets %i: another one follows at once", async (status) => {
    await newEndpoint();
    const eventId = await webhooks.emit(reseller.id);
    let resent = false;
    receiver.answerWith((response) => {
      if (resent) return void response.writeHead(204).end();
      resent = true;
      void resendEvent(ctx(), { eventId }).then(() => response.writeHead(status).end());
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

test("the audit log shows who resent a message, and which", async () => {
  const { id: endpointId } = await newEndpoint();
  const eventId = await webhooks.emit(reseller.id);
  await exhaust();
  await resendNotDelivered(ctx(), { endpointId, since: new Date(0) });
  await resendNotDelivered(ctx(), { endpointId, since: new Date(0) });
  await resendEvent(ctx(), { eventId });
  const [delivery] = await webhooks.deliveries();
  await resendDelivery(ctx(), { deliveryId: String(delivery?.id) });
  const entries = await world.db.query(
    sql<object>(`select actor, reseller_id, subject, subject_label as label, data from audit_entries
                  where action = 'webhook.resend' and subject = $1 order by id`),
    [`webhook_endpoint:${endpointId}`],
  );
  const common = { actor: actorName(ctx()), reseller_id: reseller.id, label: receiver.url };
  const facts = [
    { deliveries: 1, since: expect.stringMatching(/^1970-01-01T/) },
    { event: eventId },
    { event: eventId },
  ];
  expect(entries).toMatchObject(facts.map((data) => ({ ...common, data })));
});
