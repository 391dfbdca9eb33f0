/**
 * What locks several rows of a table locks them by their ids, and an endpoint before its deliveries: in any other order, two
 * of them wait for each other.
 */

import { afterAll, beforeAll, beforeEach, describe, test } from "vitest";
import { recordWebhookAttempt, redirectWebhookDelivery, releaseWebhookDeliveries } from "#lib/db/webhook/delivery.ts";
import type { EventId } from "#lib/domain/ids.ts";
import { stopBulkReverts } from "#lib/services/bulk/stop-reverts.ts";
import { resetSandbox } from "#lib/services/sandbox/reset.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { expectNoDeadlock } from "#tests/support/locks.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf, userOf } from "#tests/support/sandbox.ts";
import { newWebhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./api-key/create.ts";
import { rotateApiKey } from "./api-key/rotate.ts";
import { setApiKeySpendingLimit } from "./api-key/set-spending-limit.ts";
import { resendEvent } from "./webhook/resend.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

/** A transaction that has the row with the least id, and takes the others. */
const byId = (table: string, condition: string): readonly [string, string] => [
  `select from ${table} where ${condition} order by id limit 1`,
  `select from ${table} where ${condition} order by id`,
];
const manager = () => world.context(actors.user(reseller.id));

test("a spending limit counts the operations of the key", async () => {
  const { apiKeyId } = await newKey();
  await reseller.register();
  await reseller.register();
  // As ids are random: the second one has the lesser id.
  const text = `update operations set actor = 'key:' || $2::int, created_at = case rank when 1 then $3::timestamptz else $3::timestamptz - interval '1 second' end
                  from (select id as ranked, rank() over (order by id) from operations where reseller_id = $1) r where id = ranked`;
  await world.db.query(sql(text), [reseller.id, apiKeyId, world.now()]);
  await expectNoDeadlock(world.db, byId("operations", "reseller_id = $1"), reseller.id, () =>
    setApiKeySpendingLimit(manager(), { apiKeyId, limit: "100" }),
  );
});

const newKey = (ctx = manager()) => createResellerApiKey(ctx, { name: "shop", scopes: ["licenses:write"] });

test("instances record when keys were used last", async () => {
  const first = await newKey();
  const second = await newKey();
  await expectNoDeadlock(world.db, byId("api_keys", "reseller_id = $1"), reseller.id, async () => {
    for (const { apiKeyId } of [second, first]) world.db.writeBehind.keyUsed(apiKeyId, world.now(), "192.0.2.1");
    await world.db.writeBehind.flush();
  });
});

test("a reset of a sandbox moves its keys", async () => {
  const sandbox = await sandboxOf(world, reseller);
  const { apiKeyId } = await newKey(userOf(world, sandbox));
  // The replaced one is the newest row.
  await rotateApiKey(userOf(world, sandbox), { apiKeyId, graceHours: 1 });
  await expectNoDeadlock(world.db, byId("api_keys", "reseller_id = $1"), sandbox.id, () =>
    resetSandbox(userOf(world, sandbox), { sandboxId: sandbox.id }),
  );
});

/** Two claimed deliveries of an endpoint, of which the older one is the newer row; newest first. */
async function newDeliveries() {
  const webhooks = newWebhooks(world);
  const { id: endpointId } = await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/" });
  for (const _ of [1, 2]) await webhooks.emit(reseller.id);
  const lease = await world.process.leases.begin(async () => false);
  const claim = `update webhook_deliveries set owner_id = $2, lease_token = $3, next_attempt_at = next_attempt_at - interval '1 second'
                  where id in (select id from webhook_deliveries where endpoint_id = $1 order by id desc limit 1 offset $4) returning id`;
  const ids: bigint[] = [];
  for (const offset of [0, 1]) {
    const [row] = await world.db.query(sql<{ id: bigint }>(claim), [endpointId, lease.ownerId, lease.token, offset]);
    ids.push(row?.id ?? 0n);
  }
  return { endpointId, lease, ids };
}
const deliveriesById = byId("webhook_deliveries", "endpoint_id = $1");

test("a process that stops releases its deliveries", async () => {
  const { endpointId, lease } = await newDeliveries();
  await expectNoDeadlock(world.db, deliveriesById, endpointId, () => releaseWebhookDeliveries(world.db, lease, null));
});

async function recordAll({ endpointId, lease, ids }: Awaited<ReturnType<typeof newDeliveries>>, succeeded: boolean) {
  const [row] = await world.db.query(
    sql<{ challenge: EventId }>("select challenge_event_id as challenge from webhook_endpoints where id = $1"),
    [endpointId],
  );
  const result = {
    leaseToken: lease.token,
    attemptNumber: 1,
    endpointId,
    succeeded,
    durationMs: 1,
    status: succeeded ? 200 : 500,
    requestHeaders: null,
    responseStart: null,
    error: null,
    nextAttemptAt: null,
    endedAt: world.now(),
    challenge: false,
    challengeEventId: row?.challenge ?? null,
  };
  await Promise.all(ids.map((deliveryId) => recordWebhookAttempt(world.db, { ...result, deliveryId })));
}

test("results of deliveries are recorded", async () => {
  const deliveries = await newDeliveries();
  await expectNoDeadlock(world.db, deliveriesById, deliveries.endpointId, () => recordAll(deliveries, true));
});

describe("while an endpoint is deleted or moved, with its deliveries,", () => {
  const endpointFirst = ["select from webhook_endpoints where id = $1", deliveriesById[1]] as const;

  test("its first failure is recorded", async () => {
    const deliveries = await newDeliveries();
    await expectNoDeadlock(world.db, endpointFirst, deliveries.endpointId, () => recordAll(deliveries, false));
  });

  test("its recovery is recorded", async () => {
    const deliveries = await newDeliveries();
    const text = "update webhook_endpoints set first_failed_at = $2 where id = $1";
    await world.db.query(sql(text), [deliveries.endpointId, world.now()]);
    await expectNoDeadlock(world.db, endpointFirst, deliveries.endpointId, () => recordAll(deliveries, true));
  });

  test("another target of its host is stored", async () => {
    const { endpointId, lease, ids } = await newDeliveries();
    await expectNoDeadlock(world.db, endpointFirst, endpointId, () =>
      redirectWebhookDelivery(world.db, lease, ids[0] ?? 0n, "192.0.2.7"),
    );
  });
});

test("an event is sent again to all endpoints", async () => {
  const webhooks = newWebhooks(world);
  const first = await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/1" });
  await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/2" });
  const eventId = await webhooks.emit(reseller.id);
  // As if the first endpoint got the event later, by a resend.
  const later = `update webhook_deliveries set id = nextval('webhook_deliveries_id_seq') where endpoint_id = $1`;
  await world.db.query(sql(later), [first.id]);
  await expectNoDeadlock(world.db, byId("webhook_deliveries", "reseller_id = $1"), reseller.id, () =>
    resendEvent(webhooks.context(reseller.id), { eventId }),
  );
});

test("a user stops waiting for several outcomes of a job while they are settled", async () => {
  for (const _ of [1, 2]) await reseller.register();
  const job = `insert into bulk_jobs (reseller_id, kind, parameters, state, quoted_total, currency, actor_kind, user_id, created_at)
               values ($1, 'relocate', '{"from": "192.0.2.1", "to": "192.0.2.2"}', 'undoing', 0, 'USD', 'reseller_user', 1, $2) returning id`;
  const [row] = await world.db.query(sql<{ id: number }>(job), [reseller.id, world.now()]);
  const jobId = row?.id ?? 0;
  const pending = `insert into bulk_job_items (reseller_id, job_id, position, input, state, operation_id, revert_at)
                 select $1, $2, row_number() over (), '{}', 'pending', id, created_at from operations where reseller_id = $1`;
  await world.db.query(sql(pending), [reseller.id, jobId]);
  // As a settlement: all operations first, by their ids, then their items in the order of its list.
  const items = "select from bulk_job_items where job_id = $1 order by id desc";
  const settled = `with settled as materialized (
      select o.id from operations o join bulk_job_items i on i.operation_id = o.id where i.job_id = $1 order by o.id for no key update of o)
    select from bulk_job_items where job_id = $1 and (select count(*) from settled) = 2 order by id desc limit 1`;
  await expectNoDeadlock(world.db, [settled, items], jobId, () => stopBulkReverts(manager(), { jobId }));
});
