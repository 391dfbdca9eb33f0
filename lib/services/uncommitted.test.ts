/** A change waits for one that is not yet committed, and is then made, or refused, by what that one left. */
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { stopBulkReverts } from "#lib/db/bulk/job.ts";
import { postponeBulkItem } from "#lib/db/bulk/run.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { advanceLicenseRow } from "#lib/db/reseller/sandbox.ts";
import { challengeWebhookEndpoint } from "#lib/db/webhook/challenge.ts";
import { claimWebhookDeliveries, recordWebhookAttempt } from "#lib/db/webhook/delivery.ts";
import type { BulkItemId, BulkJobId } from "#lib/domain/ids.ts";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";
import { sql } from "#tests/sql.ts";
import { createInbox, FUNDS, PRICE } from "#tests/support/inbox.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { newWebhooks, type Webhooks } from "#tests/support/webhooks.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { renewLicense } from "./license/renew.ts";

let world: World;
let webhooks: Webhooks;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
  webhooks = newWebhooks(world);
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const by = () => ({ actor: "user:1", requestId: "", now: world.now() });
const rows = (text: string, ...values: unknown[]) => world.db.query(sql<Record<string, unknown>>(text), values);

/** The outcome of a change that begins while another one has been made, and is committed only then. */
async function whileUncommitted<Result>(
  first: (db: Database) => Promise<unknown>,
  second: () => Promise<Result>,
): Promise<Result> {
  const transaction = await world.db.begin();
  try {
    await first({ ...world.db, query: transaction.query });
    const outcome = second();
    await Promise.race([outcome.catch(() => {}), setTimeout(300)]);
    await transaction.commit();
    return await outcome;
  } finally {
    await transaction.rollback();
  }
}

test("two workers claim no more deliveries of an endpoint than it takes at once", async () => {
  await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/", concurrency: 1 });
  await webhooks.emit(reseller.id);
  const claim = async (db: Database) => {
    const lease = await world.process.leases.begin(async () => false);
    return claimWebhookDeliveries(db, lease, {
      now: world.now(),
      slots: 10,
      failingSlots: 10,
      limits: DEFAULT_TARGET_LIMITS,
    });
  };
  const claimed: unknown[] = [];
  const more = await whileUncommitted(
    async (db) => claimed.push(...(await claim(db))),
    async () => {
      // Due before the other one: the choice of the second worker.
      world.advance(-1_000);
      await webhooks.emit(reseller.id);
      world.advance(1_000);
      return claim(world.db);
    },
  );
  expect([claimed.length, more.length]).toEqual([1, 0]);
});

test("two endpoints' challenges at once stay within their account's limit", async () => {
  const ids = [];
  for (const _ of [1, 2]) {
    const { id } = await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/" }, { pending: true });
    ids.push(id);
  }
  const [first = ids[0], second = ids[1]] = ids;
  if (first === undefined || second === undefined) expect.unreachable();
  const challenge = (db: Database, id: typeof first) => challengeWebhookEndpoint(db, id, 3, by());
  const wait = await whileUncommitted(
    async (db) => expect(await challenge(db, first)).toBeNull(),
    () => challenge(world.db, second),
  );
  expect(wait).toBeGreaterThan(3_500);
});

test("a license of a sandbox that is moved ahead twice at once moves once", async () => {
  const sandbox = await sandboxOf(world, reseller);
  const { licenseId } = await sandbox.register({ months: 12 });
  const endsAt = new Date("2027-06-01T00:00:00Z");
  const advance = (db: Database) => advanceLicenseRow(db, sandbox.id, licenseId, endsAt);
  expect(await whileUncommitted(advance, () => advance(world.db))).toBe(false);
  expect(await sandbox.license(licenseId)).toMatchObject({ expiresAt: endsAt });
});

async function newRevert() {
  const job = `insert into bulk_jobs (reseller_id, kind, parameters, state, quoted_total, currency, actor_kind, user_id, created_at, lease_token)
               values ($1, 'relocate', '{"from": "192.0.2.1", "to": "192.0.2.2"}', 'undoing', 0, 'USD', 'reseller_user', 1, $2, $3) returning id`;
  const lease = await world.process.leases.begin(async () => false);
  const [{ id: jobId } = {}] = await rows(job, reseller.id, world.now(), lease.token);
  const item = `insert into bulk_job_items (reseller_id, job_id, position, input, state, revert_at, revert_until)
                values ($1, $2, 1, '{}', 'running', $3::timestamptz, $3::timestamptz + interval '1 day') returning id`;
  const [{ id: itemId } = {}] = await rows(item, reseller.id, jobId, world.now());
  const failure = { code: "provider_unavailable", message: "The provider cannot be reached." } as const;
  return {
    stop: (db: Database) =>
      stopBulkReverts(db, { id: jobId as BulkJobId, resellerId: reseller.id, kind: "relocate", by: by() }),
    postpone: () => postponeBulkItem(world.db, lease, itemId as BulkItemId, failure, world.now()),
    item: async () => (await rows("select * from bulk_job_items where id = $1", itemId))[0],
  };
}

test("a revert that a user stops while it is being postponed is not tried again", async () => {
  const { stop, postpone, item } = await newRevert();
  await whileUncommitted(stop, postpone);
  expect(await item()).toMatchObject({ state: "failed" });
});

test("a revert is postponed once, though a process whose answer was lost postpones it again", async () => {
  const { postpone, item } = await newRevert();
  await postpone();
  const postponed = await item();
  expect(postponed).toMatchObject({ state: "succeeded" });
  world.advance(1_000);
  await postpone();
  expect(await item()).toEqual(postponed);
});

test("an endpoint fails since the first of two failures that are recorded at once", async () => {
  const { id: endpointId } = await webhooks.endpoint(reseller.id, { url: "http://127.0.0.1:9/" });
  for (const _ of [1, 2]) await webhooks.emit(reseller.id);
  const lease = await world.process.leases.begin(async () => false);
  const claim = "update webhook_deliveries set owner_id = $2, lease_token = $3 where endpoint_id = $1 returning id";
  const [first, second] = await rows(claim, endpointId, lease.ownerId, lease.token);
  const firstFailedAt = world.now();
  const record = (db: Database, delivery: Record<string, unknown> | undefined) => {
    const result = { attemptNumber: 1, endpointId, succeeded: false, durationMs: 1, status: 500, requestHeaders: null };
    const challenge = { challenge: false, challengeEventId: null };
    return recordWebhookAttempt(db, {
      ...{ ...result, ...challenge, responseStart: null, error: "500", nextAttemptAt: new Date("2027-12-01") },
      ...{ deliveryId: delivery?.id as bigint, leaseToken: lease.token, endedAt: world.now() },
    });
  };
  await rows("update webhook_endpoints set challenge_event_id = null where id = $1", endpointId);
  await whileUncommitted(
    (db) => record(db, first),
    () => {
      world.advance(60_000);
      return record(world.db, second);
    },
  );
  const [endpoint] = await rows("select first_failed_at from webhook_endpoints where id = $1", endpointId);
  expect(endpoint).toEqual({ first_failed_at: firstFailedAt });
});

test("a license is restored for the whole of what was refunded, or not at all, while its money is spent", async () => {
  const inbox = createInbox(world);
  const buyer = await inbox.begin();
  const { licenseId, licenseKey } = await buyer.register();
  await renewLicense(buyer.context(), { licenseId });
  await inbox.forget(licenseKey);
  const lost = await inbox.theCase("charged_not_provisioned");
  await inbox.act(lost.details.id, "refund");
  expect(await buyer.spendable()).toBe(FUNDS);
  await inbox.hold(licenseKey, (await buyer.license(licenseId)).ipAddress);
  const { details } = await inbox.theCase("provisioned_not_charged");
  const spend = "update wallets set held = posted - $2 where reseller_id = $1";
  const restored = whileUncommitted(
    (db) => db.query(sql(spend), [buyer.id, PRICE]),
    () => inbox.act(details.id, "adopt"),
  );
  await expect(restored).rejects.toThrow("$29.00");
});
