import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import type { LicenseBulkChange } from "#lib/domain/bulk-license.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { codeOf, ip } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getBulkJob } from "./get.ts";
import type { LicenseSelection } from "./license-plan.ts";
import { listBulkItems } from "./list-items.ts";
import { quoteLicenseBulk } from "./quote-licenses.ts";
import { quoteBulkRetry } from "./quote-retry.ts";
import { runBulkJob } from "./run.ts";
import { startLicenseBulk } from "./start-licenses.ts";

const PRICE = 1450n;
const everything = { filter: {} };
const renew: LicenseBulkChange = { kind: "renew" };
let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const person = (change = {}) => world.context(actors.user(reseller.id), change);
const quote = (change: LicenseBulkChange, selection: LicenseSelection = everything) =>
  quoteLicenseBulk(person(), { change, selection });

async function startAndRun(change: LicenseBulkChange, selection: LicenseSelection = everything) {
  const agreed = await quote(change, selection);
  const { jobId } = await startLicenseBulk(person(), { change, selection, agreed });
  await runBulkJob(world.operator, { jobId, turnMs: 60_000 });
  const { items } = await listBulkItems(person(), { jobId, after: 0, limit: 100 });
  return { agreed, jobId, items };
}

/** A license in each state, and a bundle with its members. */
async function furnish() {
  const register = async () => (await reseller.register()).licenseId;
  const [active, suspended, byAdmin, terminated, pending, renewing] = [
    await register(),
    await register(),
    await register(),
    await register(),
    (await reseller.register({ ip: ip("192.0.2.20") })).licenseId,
    await register(),
  ];
  await suspendLicense(reseller.context(), { licenseId: suspended });
  await suspendLicense(reseller.admin(), { licenseId: byAdmin });
  await setLicenseAutoRenew(reseller.context(), { licenseId: renewing, on: true });
  await world.db.query(sql("update licenses set terminated_at = $2 where id = $1"), [terminated, world.now()]);
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { members } = (await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() }))
    .instance;
  await world.db.query(sql("update licenses set ip_address = '198.19.' || id / 256 || '.' || id % 256 where id = $1"), [
    pending,
  ]);
  return { active, suspended, byAdmin, terminated, pending, renewing, memberCount: members.length };
}

test("a role that does not spend starts and prices only what is free", async () => {
  const { licenseId } = await reseller.register();
  const support = world.context(actors.user(reseller.id, "support"));
  const selection = { licenseIds: [licenseId] };
  const free = { kind: "suspend", reason: "" } as const;
  const agreed = await quoteLicenseBulk(support, { change: free, selection });
  await startLicenseBulk(support, { change: free, selection, agreed });
  for (const change of [renew, { kind: "set_auto_renew", on: true } as const]) {
    const answers = [
      quoteLicenseBulk(support, { change, selection }),
      startLicenseBulk(support, { change, selection, agreed: { count: 1, total: PRICE } }),
    ];
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: "permission_denied" });
  }
});

test("a job has the count, the total and the skipped items of its quote", async () => {
  const { memberCount } = await furnish();
  expect(await quote(renew)).toMatchObject({
    count: 4,
    total: 4n * PRICE,
    skipped: [
      { reason: "pending", count: 1 },
      { reason: "terminated", count: 1 },
      { reason: "bundle_member", count: memberCount },
    ],
  });
  expect(await quote({ kind: "suspend", reason: "" })).toMatchObject({ count: 2 + memberCount, total: 0n });
  expect(await quote({ kind: "unsuspend" })).toMatchObject({
    count: 1,
    skipped: expect.arrayContaining([{ reason: "suspended_by_admin", count: 1 }]),
  });
  expect(await quote({ kind: "set_auto_renew", on: true })).toMatchObject({
    count: 4,
    skipped: expect.arrayContaining([{ reason: "unchanged", count: 1 }]),
  });
  expect(await quote({ kind: "set_notes", notes: "moved" })).toMatchObject({ count: 6 + memberCount, skipped: [] });

  const before = await reseller.spendable();
  const { agreed, items, jobId } = await startAndRun(renew);
  expect(before - (await reseller.spendable())).toBe(agreed.total);
  expect(items.filter(({ state }) => state === "succeeded")).toHaveLength(agreed.count);
  expect(items.filter(({ errorCode }) => errorCode === "bundle_member")).toHaveLength(memberCount);
  expect(await getBulkJob(person(), { jobId })).toMatchObject({
    chargedTotal: agreed.total,
    quotedTotal: agreed.total,
  });
});

test("every kind changes each license like the single change does", async () => {
  const { active, renewing } = await furnish();
  const selection = { licenseIds: [active, renewing] };
  await startAndRun({ kind: "set_notes", notes: "rack 7" }, selection);
  await startAndRun({ kind: "set_auto_renew", on: true }, selection);
  await startAndRun({ kind: "suspend", reason: "overdue" }, selection);
  for (const id of selection.licenseIds) {
    expect(await reseller.license(id)).toMatchObject({
      notes: "rack 7",
      autoRenew: true,
      suspendedBy: "reseller",
      suspensionReason: "overdue",
    });
  }
  await startAndRun({ kind: "unsuspend" }, selection);
  expect((await reseller.license(active)).suspendedAt).toBeNull();
  expect((await reseller.eventKinds()).filter((kind) => kind === "license.unsuspended")).toHaveLength(2);
});

test("with a low balance, the earliest ends are renewed, as many as quoted", async () => {
  reseller = await world.reseller({ funds: "59" });
  const [later, sooner, soonest] = [
    (await reseller.register()).licenseId,
    (await reseller.register()).licenseId,
    (await reseller.register()).licenseId,
  ];
  for (const [id, days] of [
    [soonest, 20],
    [sooner, 10],
  ] as const) {
    await world.db.query(sql("update licenses set expires_at = expires_at - make_interval(days => $2) where id = $1"), [
      id,
      days,
    ]);
  }
  expect(await quote(renew)).toMatchObject({
    count: 3,
    total: 3n * PRICE,
    funds: { spendable: 1550n, affordable: { count: 1, total: PRICE } },
  });
  const { items, jobId } = await startAndRun(renew);
  expect(items.map(({ licenseId, state, errorCode }) => [licenseId, state, errorCode])).toEqual([
    [soonest, "succeeded", null],
    [sooner, "failed", "insufficient_balance"],
    [later, "failed", "insufficient_balance"],
  ]);
  expect(await quoteBulkRetry(person(), { jobId })).toMatchObject({ count: 2, total: 2n * PRICE, cheapest: PRICE });
});

test("the quote of a renewal has the ends that the renewed licenses get, of those that the balance pays for", async () => {
  reseller = await world.reseller({ funds: "74" });
  const [early, expired, late] = [
    (await reseller.register()).licenseId,
    (await reseller.register()).licenseId,
    (await reseller.register()).licenseId,
  ];
  for (const [id, from, to] of [
    [early, "2034-12-31T10:00:00Z", "2035-01-31T10:00:00Z"],
    [expired, "2019-12-31T10:00:00Z", "2020-01-31T10:00:00Z"],
    [late, "2039-12-31T10:00:00Z", "2040-01-31T10:00:00Z"],
  ] as const) {
    const values = [id, new Date(from), new Date(to)];
    await world.db.query(sql("update licenses set anchored_at = $2, expires_at = $3 where id = $1"), values);
  }
  const { agreed, items } = await startAndRun(renew);
  expect(items.filter(({ state }) => state === "succeeded").map(({ licenseId }) => licenseId)).toEqual([
    expired,
    early,
  ]);
  const [first, last] = [await reseller.license(expired), await reseller.license(early)];
  expect(last.expiresAt).toEqual(new Date("2035-02-28T10:00:00Z"));
  expect(agreed.newExpiry).toEqual({ first: first.expiresAt, last: last.expiresAt });
  expect((await quote(renew, { licenseIds: [early] })).newExpiry).toBeNull();
  expect((await quote({ kind: "suspend", reason: "" })).newExpiry).toBeNull();
});

test("a selection changed since its quote does not start, and a license changed after that is not renewed", async () => {
  const { licenseId } = await reseller.register();
  const agreed = await quote(renew);
  const other = await reseller.register();
  const start = (change = {}) => startLicenseBulk(person(change), { change: renew, selection: everything, agreed });
  expect(await codeOf(start())).toBe("conflict");
  const selection = { licenseIds: [licenseId, other.licenseId] };
  const { jobId } = await startLicenseBulk(person(), {
    change: renew,
    selection,
    agreed: await quote(renew, selection),
  });
  const { cycleId } = await reseller.license(licenseId);
  await world.db.query(sql("update licenses set expires_at = expires_at + interval '1 month' where id = $1"), [
    licenseId,
  ]);
  await world.db.query(sql("update prices set price = price + 1 where cycle_id = $1"), [cycleId]);
  await runBulkJob(world.operator, { jobId });
  await world.db.query(sql("update prices set price = price - 1 where cycle_id = $1"), [cycleId]);
  const { items } = await listBulkItems(person(), { jobId, after: 0, limit: 10 });
  expect(items.map(({ state, errorCode }) => `${state} ${errorCode}`)).toEqual([
    "failed state_invalid",
    "failed price_changed",
  ]);
});

test("a repeated submission returns the running job", async () => {
  await reseller.register();
  const agreed = await quote(renew);
  const send = () =>
    startLicenseBulk(person(formKey(world.db, "web:1:bulk")), { change: renew, selection: everything, agreed });
  const { jobId } = await send();
  await runBulkJob(world.operator, { jobId });
  await reseller.register();
  expect(await send()).toEqual({ jobId });
});

test("other resellers' licenses cannot be selected, by id or by filter", async () => {
  const stranger = await world.reseller();
  const { licenseId } = await stranger.register();
  expect(await quote(renew, { licenseIds: [licenseId] })).toMatchObject({ count: 0, skipped: [] });
  expect(await quote(renew)).toMatchObject({ count: 0, skipped: [] });
  const agreed = { count: 0, total: 0n };
  const start = startLicenseBulk(person(), { change: renew, selection: { licenseIds: [licenseId] }, agreed });
  expect(await codeOf(start)).toBe("state_invalid");
});

test("ten thousand items start at once, one more is rejected, and the worker runs one at a time", async () => {
  const { licenseId } = await reseller.register();
  const copy = (from: number, to: number) =>
    world.db.query(
      sql(`insert into licenses (key, reseller_id, product_id, cycle_id, ip_address, issued_at, anchored_at, expires_at, provisioned_at)
             select 'copy-' || l.id || '-' || n || '-' || random(), l.reseller_id, l.product_id, l.cycle_id,
                    '10.' || (n >> 16) || '.' || (n >> 8 & 255) || '.' || (n & 255), l.issued_at, l.anchored_at, l.expires_at, l.provisioned_at
               from licenses l, generate_series($2::int, $3::int) n where l.id = $1`),
      [licenseId, from, to],
    );
  // All in one statement would take longer than a statement may, on a busy machine.
  for (let from = 1; from < MAX_BULK_ITEMS; from += 1_000) await copy(from, Math.min(from + 999, MAX_BULK_ITEMS - 1));
  const change: LicenseBulkChange = { kind: "set_auto_renew", on: true };
  const agreed = await quote(change);
  expect(agreed.count).toBe(MAX_BULK_ITEMS);
  const { jobId } = await startLicenseBulk(person(), { change, selection: everything, agreed });
  expect(await getBulkJob(person(), { jobId })).toMatchObject({ counts: { queued: MAX_BULK_ITEMS } });
  let mostRows = 0;
  const { operator } = world;
  const query: typeof operator.db.query = async (statement, values) => {
    const rows = await operator.db.query(statement, values);
    mostRows = Math.max(mostRows, rows.length);
    return rows;
  };
  const turn = await runBulkJob({ ...operator, db: { ...operator.db, query } }, { jobId, turnMs: 200 });
  expect(turn?.done).toBeGreaterThan(1);
  expect(mostRows).toBe(1);
  await reseller.register();
  expect(await codeOf(quote(change))).toBe("state_invalid");
});

test("licenses are terminated together without a charge, by those alone who may terminate one", async () => {
  const { licenseId } = await reseller.register();
  const change = { kind: "terminate" } as const;
  const selection = { licenseIds: [licenseId] };
  for (const role of ["support", "finance", "developer", "viewer"] as const) {
    const ctx = world.context(actors.user(reseller.id, role));
    expect(await codeOf(quoteLicenseBulk(ctx, { change, selection }))).toBe("permission_denied");
    const agreed = { count: 1, total: 0n };
    expect(await codeOf(startLicenseBulk(ctx, { change, selection, agreed }))).toBe("permission_denied");
  }
  expect(await quote(change, selection)).toMatchObject({ count: 1, total: 0n });
  const { posted } = await reseller.wallet();
  await startAndRun(change, selection);
  expect(await reseller.license(licenseId)).toMatchObject({ terminatedAt: expect.any(Date) });
  expect(await reseller.wallet()).toMatchObject({ posted, held: 0n });
  expect(await quote(change, selection)).toMatchObject({ count: 0, skipped: [{ reason: "terminated", count: 1 }] });
});
