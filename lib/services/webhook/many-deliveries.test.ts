import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { disableWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import type { WebhookEndpointId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { resetSandbox } from "#lib/services/sandbox/reset.ts";
import { sql } from "#tests/sql.ts";
import { dyingAt } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getWebhookEndpoint } from "./get.ts";
import { resendNotDelivered } from "./resend.ts";
import { setWebhookEndpointPaused } from "./set-paused.ts";

const BATCH = 500;
const COUNT = 2 * BATCH + 1;

let world: World;
let webhooks: Webhooks;
let reseller: ResellerWorld;
let endpointId: WebhookEndpointId;
beforeAll(async () => {
  world = await newWorld();
  webhooks = newWebhooks(world);
});
beforeEach(async () => {
  reseller = await world.reseller();
  ({ id: endpointId } = await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/hook" }));
});
afterAll(async () => {
  await webhooks.sender.close();
  await world.close();
});

async function emitMany(resellerId: number): Promise<void> {
  // Planned for the few that there were: a batch that is read once for each row would not end with its limit.
  await world.db.query(sql("analyze webhook_deliveries"), []);
  await world.db.query(
    sql(`insert into events (id, reseller_id, kind, data, occurred_at)
         select gen_random_uuid(), $1, 'license.renewed', '{}', $2 from generate_series(1, ${COUNT})`),
    [resellerId, world.now()],
  );
}

async function states(): Promise<Readonly<Record<string, number>>> {
  const rows = await world.db.query(
    sql<{ state: string; count: number }>(
      "select state::text, count(*)::int as count from webhook_deliveries where endpoint_id = $1 group by 1",
    ),
    [endpointId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const disable = async (ctx: ServiceContext = webhooks.worker()) =>
  disableWebhookEndpoint(
    ctx.db,
    await getWebhookEndpoint(webhooks.context(reseller.id), { endpointId }),
    "failing",
    changedBy(ctx),
  );

describe("an endpoint with thousands of waiting deliveries", () => {
  test("is disabled before they are discarded, which goes on when old records are pruned", async () => {
    await emitMany(reseller.id);
    await expect(disable(dyingAt(webhooks.worker(), "discard_deliveries"))).rejects.toThrow("process died");
    expect(await states()).toEqual({ discarded: BATCH, pending: COUNT - BATCH });
    expect(await disable()).toBe(false);
    expect(await webhooks.deliver()).toBe(0);
    expect(await pruneOldRecords(webhooks.worker())).toMatchObject({ discardedDeliveries: COUNT - BATCH });
    expect(await states()).toEqual({ discarded: COUNT });
  });

  test("is resumed without those that were to be discarded", async () => {
    await emitMany(reseller.id);
    await expect(disable(dyingAt(webhooks.worker(), "discard_deliveries"))).rejects.toThrow("process died");
    await setWebhookEndpointPaused(webhooks.context(reseller.id), { endpointId, paused: false });
    expect(await states()).toEqual({ discarded: COUNT });
  });

  test("sends them again in batches, each once, and a repetition sends what is left", async () => {
    const since = world.now();
    await emitMany(reseller.id);
    expect(await disable()).toBe(true);
    const ctx = webhooks.context(reseller.id);
    await setWebhookEndpointPaused(ctx, { endpointId, paused: false });
    const dying = dyingAt(ctx, "requeue_not_delivered");
    await expect(resendNotDelivered(dying, { endpointId, since })).rejects.toThrow("process died");
    expect(await states()).toEqual({ discarded: COUNT - BATCH, pending: BATCH });
    expect(await resendNotDelivered(ctx, { endpointId, since })).toEqual({ resent: COUNT - BATCH });
    expect(await states()).toEqual({ pending: COUNT });
  });

  test("is moved by a reset of its sandbox, which deletes them in batches", async () => {
    const sandbox = await sandboxOf(world, reseller);
    ({ id: endpointId } = await webhooks.endpoint(sandbox.id, { url: "http://127.0.0.1:9/hook" }));
    await emitMany(sandbox.id);
    const user = userOf(world, sandbox);
    const dying = dyingAt(user, "delete_endpoint_deliveries");
    await expect(resetSandbox(dying, { sandboxId: sandbox.id })).rejects.toThrow("process died");
    expect(await states()).toEqual({ pending: COUNT - BATCH });
    await resetSandbox(user, { sandboxId: sandbox.id });
    expect(await states()).toEqual({});
    expect((await sandboxOf(world, reseller)).id).not.toBe(sandbox.id);
  });
});
