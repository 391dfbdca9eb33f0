import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { BundleBulkChange } from "#lib/domain/bulk-bundle.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { codeOf, dyingAt } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import type { BundleSelection } from "./bundle-plan.ts";
import { getBulkJob } from "./get.ts";
import { listBulkItems } from "./list-items.ts";
import { quoteBundleBulk } from "./quote-bundles.ts";
import { retryFailedBulkItems } from "./retry.ts";
import { runBulkJob } from "./run.ts";
import { startBundleBulk } from "./start-bundles.ts";

const renew: BundleBulkChange = { kind: "renew_bundle" };
let world: World;
let reseller: ResellerWorld;
let price: bigint;

beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
  price = (await world.bundleOffer(reseller.id)).cycle.price;
});
afterAll(() => world.close());

const person = (change = {}) => world.context(actors.user(reseller.id), change);
const quote = (change: BundleBulkChange, selection: BundleSelection = "all") =>
  quoteBundleBulk(person(), { change, selection });
const run = (jobId: number, ctx = world.operator) => runBulkJob(ctx, { jobId, turnMs: 60_000 });
const itemsOf = async (jobId: number) => (await listBulkItems(person(), { jobId, after: 0, limit: 100 })).items;
const renewals = async () => (await reseller.operations()).filter(({ kind }) => kind === "bundle_renew");

async function buy(of: ResellerWorld = reseller): Promise<number> {
  const { bundleId, cycleId } = await world.bundleOffer(of.id);
  return (await registerBundle(of.context(), { bundleId, cycleId, ipAddress: world.freshIp() })).instance.id;
}

async function buyMany(count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let made = 0; made < count; made++) ids.push(await buy());
  return ids;
}

async function start(change: BundleBulkChange, selection: BundleSelection = "all", context = {}) {
  const agreed = await quote(change, selection);
  return (await startBundleBulk(person(context), { change, selection, agreed })).jobId;
}

test("renewals charge exactly the quote, and each license ends a term later", async () => {
  const ids = await buyMany(3);
  const ended = ids[2] as number;
  await world.db.query(sql("update bundle_instances set terminated_at = $2 where id = $1"), [ended, world.now()]);
  expect(await quote(renew)).toMatchObject({
    count: 2,
    total: 2n * price,
    funds: { affordable: { count: 2, total: 2n * price } },
    skipped: [{ reason: "terminated", count: 1 }],
  });
  const { newExpiry } = await quote(renew, { bundleInstanceIds: ids.slice(0, 1) });
  const before = await reseller.spendable();
  const jobId = await start(renew);
  expect(await run(jobId)).toMatchObject({ done: 2, ended: true });
  expect(await reseller.spendable()).toBe(before - 2n * price);
  expect(await getBulkJob(person(), { jobId })).toMatchObject({ chargedTotal: 2n * price, quotedTotal: 2n * price });
  expect((await itemsOf(jobId)).map(({ bundleInstanceId, state }) => [bundleInstanceId, state])).toEqual(
    expect.arrayContaining([
      [ids[0], "succeeded"],
      [ids[1], "succeeded"],
      [ended, "skipped"],
    ]),
  );
  const rows = await world.db.query(
    sql<{
      terms: number;
      expiresAt: Date;
    }>(`select count(distinct l.expires_at)::int as terms, min(l.expires_at) as "expiresAt" from licenses l join bundle_instances b on b.id = l.bundle_instance_id
            where b.id = $1 and l.expires_at = b.expires_at`),
    [ids[0]],
  );
  expect(rows).toEqual([{ terms: 1, expiresAt: newExpiry?.first }]);
  await expectBooksToAgree(world.db);
});

test("the results name each bundle's licenses, and no others", async () => {
  const [one, other] = (await buyMany(2)) as [number, number];
  await reseller.register();
  const items = await itemsOf(await start(renew, { bundleInstanceIds: [one, other] }));
  for (const { bundleInstanceId, members } of items) {
    const licenses = await world.db.prisma.license.findMany({
      where: { bundleInstanceId },
      orderBy: { id: "asc" },
      include: { product: true },
    });
    expect(members).toEqual(licenses.map(({ id, product }) => ({ id, productName: product.name })));
    expect(members.length).toBeGreaterThan(1);
  }
});

test("auto-renew is switched for each bundle, and those already set are skipped", async () => {
  const [one, other] = (await buyMany(2)) as [number, number];
  await setBundleAutoRenew(reseller.context(), { bundleInstanceId: one, on: true });
  const on: BundleBulkChange = { kind: "set_bundle_auto_renew", on: true };
  expect(await quote(on)).toMatchObject({ count: 1, total: 0n, skipped: [{ reason: "unchanged", count: 1 }] });
  await run(await start(on));
  expect(await quote(on)).toMatchObject({ count: 0, only: null });
  expect(await quote({ ...on, on: false }, { bundleInstanceIds: [other] })).toMatchObject({
    count: 1,
    skipped: [],
    only: { target: { bundleInstanceId: other }, name: expect.stringMatching(/./) },
  });
});

test("with a low balance, the earliest ends are renewed, and the others fail and can be retried", async () => {
  const [later, sooner] = (await buyMany(2)) as [number, number];
  await world.db.query(sql("update bundle_instances set expires_at = expires_at - interval '10 days' where id = $1"), [
    sooner,
  ]);
  const { posted } = await reseller.wallet();
  await world.db.query(sql("update wallets set held = $2::bigint - $3::bigint where reseller_id = $1"), [
    reseller.id,
    posted,
    price,
  ]);
  const funds = { affordable: { count: 1, total: price } };
  expect(await quote(renew)).toMatchObject({ count: 2, total: 2n * price, funds });
  const jobId = await start(renew);
  await run(jobId);
  expect(
    (await itemsOf(jobId)).map(({ bundleInstanceId, state, errorCode }) => [bundleInstanceId, state, errorCode]),
  ).toEqual([
    [sooner, "succeeded", null],
    [later, "failed", "insufficient_balance"],
  ]);
  await world.db.query(sql("update wallets set held = 0 where reseller_id = $1"), [reseller.id]);
  await topUpWallet(world.operator, { resellerId: reseller.id, amount: "100", note: "" });
  await retryFailedBulkItems(person(), { jobId, agreedTotal: price });
  await run(jobId);
  expect((await itemsOf(jobId)).map(({ state }) => state)).toEqual(["succeeded", "succeeded"]);
  expect(await renewals()).toHaveLength(2);
  expect(await reseller.difference()).toBeNull();
});

test("another price or term than agreed is not charged", async () => {
  const [one, other] = (await buyMany(2)) as [number, number];
  const agreed = await quote(renew, { bundleInstanceIds: [one] });
  expect(await codeOf(startBundleBulk(person(), { change: renew, selection: "all", agreed }))).toBe("conflict");
  const dearer = {
    change: renew,
    selection: { bundleInstanceIds: [one] },
    agreed: { ...agreed, total: agreed.total - 1n },
  };
  expect(await codeOf(startBundleBulk(person(), dearer))).toBe("price_changed");
  const jobId = await start(renew);
  await world.db.query(sql("update bundle_instances set expires_at = expires_at + interval '1 month' where id = $1"), [
    one,
  ]);
  const { cycleId } = await world.bundleOffer(reseller.id);
  await world.db.query(sql("update prices set price = price + 1 where cycle_id = $1"), [cycleId]);
  await run(jobId);
  await world.db.query(sql("update prices set price = price - 1 where cycle_id = $1"), [cycleId]);
  const outcomes = (await itemsOf(jobId)).map(({ bundleInstanceId, errorCode }) => [bundleInstanceId, errorCode]);
  expect(outcomes).toEqual(
    expect.arrayContaining([
      [one, "state_invalid"],
      [other, "price_changed"],
    ]),
  );
  expect(await renewals()).toHaveLength(0);
});

describe.each([
  ["when an item is taken up", "begin_bulk_item", { nth: 2 }],
  ["when the money is held", "hold_operations", { nth: 2 }],
  ["when the provider is being asked", "mark_operation_sent", { nth: 2 }],
  ["when the charge is made", "settle_operations", { nth: 2 }],
  ["when the item's end is to be written", "end_bulk_item", { nth: 2, before: true }],
] as const)("a worker that dies %s", (_, statement, death) => {
  test("is replaced by another, and every bundle is renewed and charged once", async () => {
    await buyMany(3);
    const before = await reseller.spendable();
    const jobId = await start(renew);
    await expect(run(jobId, dyingAt(world.operator, statement, death))).rejects.toThrow();
    await world.crash();
    expect(await run(jobId)).toMatchObject({ ended: true });
    expect((await itemsOf(jobId)).map(({ state }) => state)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(await reseller.spendable()).toBe(before - 3n * price);
    expect((await renewals()).filter(({ state }) => state !== "rejected")).toHaveLength(3);
    expect(await reseller.difference()).toBeNull();
  });
});

test("a repeated submission is one job and charges once", async () => {
  await buyMany(2);
  const agreed = await quote(renew);
  const before = await reseller.spendable();
  const send = () =>
    startBundleBulk(person(formKey(world.db, "web:1:bundles")), { change: renew, selection: "all", agreed });
  const [first, second] = await Promise.all([send(), send()]);
  expect(second).toEqual(first);
  await run(first.jobId);
  expect(await send()).toEqual(first);
  expect(await reseller.spendable()).toBe(before - 2n * price);
});

test("ten thousand bundles are one job, one more is refused", async () => {
  const bundle = await buy();
  for (const count of [3_333, 3_333, 3_333]) {
    await world.db.query(
      sql(`insert into bundle_instances
           select (jsonb_populate_record(b, jsonb_build_object('id', nextval(pg_get_serial_sequence('bundle_instances', 'id'))))).*
             from bundle_instances b, generate_series(1, $2) where b.id = $1`),
      [bundle, count],
    );
  }
  const change = { kind: "set_bundle_auto_renew", on: true } as const;
  expect(await quote(change)).toMatchObject({ count: 10_000 });
  await buy();
  expect(await codeOf(quote(change))).toBe("state_invalid");
});

test("other resellers' bundles cannot be selected", async () => {
  const theirs = await buy(await world.reseller());
  expect(await quote(renew, { bundleInstanceIds: [theirs] })).toMatchObject({ count: 0, skipped: [] });
  expect(await quote(renew)).toMatchObject({ count: 0, skipped: [] });
});
