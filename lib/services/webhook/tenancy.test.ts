import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { EventId } from "#lib/domain/ids.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import { type Receiver, startReceiver } from "#tests/support/receiver.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createWebhookEndpoint } from "./create.ts";
import { deleteWebhookEndpoint } from "./delete.ts";
import { getWebhookEndpoint } from "./get.ts";
import { getWebhookEvent } from "./get-event.ts";
import { listWebhookEndpoints } from "./list.ts";
import { listWebhookDeliveries } from "./list-deliveries.ts";
import { listEvents } from "./list-events.ts";
import { countWebhooksNotDelivered, resendDelivery, resendEvent, resendNotDelivered } from "./resend.ts";
import { rotateWebhookSecret } from "./rotate-secret.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";
import { getWebhookEndpointStats } from "./stats.ts";
import { updateWebhookEndpoint } from "./update.ts";

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
test("another reseller's endpoints, events and deliveries are not found (contract 1.12)", async () => {
  const { id: endpointId } = await newEndpoint();
  const eventId = await webhooks.emit(reseller.id);
  const deliveryId = (await webhooks.deliveries())[0]?.id ?? "";
  const before = await getWebhookEvent(ctx(), { eventId });
  const stranger = webhooks.context((await world.reseller({ funds: "0" })).id);
  const own = await createWebhookEndpoint(stranger, { url: receiver.url });
  const since = new Date(0);
  for (const [theirs, event, delivery] of [
    [endpointId, eventId, deliveryId],
    [2_000_000_000, crypto.randomUUID() as EventId, "1000000000000"],
    [2_000_000_000, crypto.randomUUID() as EventId, "x"],
  ] as const) {
    const target = { endpointId: theirs };
    for (const ask of [
      () => getWebhookEndpoint(stranger, target),
      () => updateWebhookEndpoint(stranger, { ...target, description: "x" }),
      () => updateWebhookEndpoint(stranger, { ...target, url: "https://hooks.slack.com/services/T0/B0/x" }),
      () => deleteWebhookEndpoint(stranger, target),
      () => setWebhookEndpointPaused(stranger, { ...target, paused: true }),
      () => rotateWebhookSecret(stranger, target),
      () => sendTestEvent(stranger, target),
      () => getWebhookEndpointStats(stranger, { ...target, spanMs: HOUR_MS, buckets: 1 }),
      () => countWebhooksNotDelivered(stranger, { ...target, since }),
      () => resendNotDelivered(stranger, { ...target, since }),
      () => getWebhookEvent(stranger, { eventId: event }),
      () => resendEvent(stranger, { eventId: event }),
      () => resendEvent(stranger, { eventId: event, endpointId: own.endpoint.id }),
      () => resendDelivery(stranger, { deliveryId: delivery }),
    ]) {
      expect(await codeOf(ask())).toBe("not_found");
    }
  }
  expect((await listEvents(stranger, { before: null, limit: 10 })).rows).toEqual([]);
  const filter = { endpointId };
  expect((await listWebhookDeliveries(stranger, { filter, before: null, limit: 10 })).rows).toEqual([]);
  expect(await listWebhookEndpoints(stranger)).toHaveLength(1);
  expect(await getWebhookEvent(ctx(), { eventId })).toEqual(before);
});
