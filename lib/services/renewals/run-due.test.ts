import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { getLicenseHistory } from "#lib/services/license/history.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { pruneOldRecords } from "#lib/services/retention/prune.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { sql } from "#tests/sql.ts";
import { clearRehearsed, dyingAt, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { RegisterOptions, ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { listRenewalFailures } from "./list-failures.ts";
import { runDueRenewals, wakeRenewals } from "./run-due.ts";

const DAY_MS = 86_400_000;
let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-03-10T12:00:00Z");
  await clearRehearsed(world);
});
afterAll(() => world.close());

const run = (reseller: ResellerWorld) => runDueRenewals(world.operator, { resellerId: reseller.id });

async function autoRenewed(reseller: ResellerWorld, options?: RegisterOptions) {
  const license = await reseller.register(options);
  await setLicenseAutoRenew(reseller.context(), { licenseId: license.licenseId, on: true });
  return license;
}

async function failures(
  reseller: ResellerWorld,
): Promise<{ license_id: number; reason: string; price: number | null }[]> {
  return world.db.query(
    sql(`select license_id, data ->> 'reason' as reason, (data ->> 'price')::float as price from events
            where reseller_id = $1 and kind = 'license.renewal_failed' order by license_id, occurred_at`),
    [reseller.id],
  );
}

test("a license auto-renews on the reseller's day before its end, not earlier", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await autoRenewed(reseller);
  const other = await reseller.register();
  world.setClock(new Date(expiresAt.getTime() - 3 * DAY_MS - 1000));
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  world.advance(1000);
  expect(await run(reseller)).toEqual({ renewed: 1, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  expect((await reseller.license(licenseId)).expiresAt.toISOString()).toBe("2027-05-10T12:00:00.000Z");
  expect((await reseller.license(other.licenseId)).expiresAt).toEqual(other.expiresAt);
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  expect(await reseller.eventKinds()).toContain("license.renewed");
  await expectBooksToAgree(world.db);
});

test("a failure is reported once for its license, term and reason, however long the term has left", async () => {
  const reseller = await world.reseller({ funds: "20" });
  const { licenseId, expiresAt } = await autoRenewed(reseller);
  await world.db.query(sql("update resellers set renew_ahead_days = 90 where id = $1"), [reseller.id]);
  await world.db.query(sql("update licenses set expires_at = expires_at + interval '60 days' where id = $1"), [
    licenseId,
  ]);
  for (let day = 0; day < 80; day += 20) {
    world.advance(20 * DAY_MS);
    expect(await run(reseller)).toMatchObject({ failed: 1 });
    await pruneOldRecords(world.operator);
    expect(await failures(reseller)).toEqual([{ license_id: licenseId, reason: "insufficient_balance", price: 14.5 }]);
  }
  world.setClock(new Date(expiresAt.getTime() + 91 * DAY_MS));
  await pruneOldRecords(world.operator);
  expect(await failures(reseller)).toEqual([]);
});

test("two workers renew each term once", async () => {
  const reseller = await world.reseller();
  for (let i = 0; i < 5; i++) await autoRenewed(reseller);
  world.advance(29 * DAY_MS);
  const charges = (await reseller.entries()).length;
  const runs = await Promise.all([run(reseller), run(reseller), run(reseller)]);
  expect(runs.reduce((sum, { renewed }) => sum + renewed, 0)).toBe(5);
  expect(runs.reduce((sum, { failed }) => sum + failed, 0)).toBe(0);
  expect((await reseller.entries()).length - charges).toBe(5);
  await expectBooksToAgree(world.db);
});

test("two workers that have both read a due license renew it once, whichever holds first", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await autoRenewed(reseller);
  world.advance(29 * DAY_MS);
  // The slow run has made all its checks when the other one runs completely; then the slow one holds.
  let other: ReturnType<typeof run> | null = null;
  const { operator } = world;
  const query: typeof operator.db.query = async (statement, values) => {
    if (statement.name === "hold_operations" && !other) {
      other = run(reseller);
      await other;
    }
    return operator.db.query(statement, values);
  };
  const slow = await runDueRenewals({ ...operator, db: { ...operator.db, query } }, { resellerId: reseller.id });
  expect(await other).toMatchObject({ renewed: 1 });
  expect(slow).toMatchObject({ renewed: 0, skipped: 1 });
  expect((await reseller.operations()).filter(({ kind }) => kind === "license_renew")).toHaveLength(1);
  // Not even a renewal that names the old term renews it again.
  await expect(renewLicense(reseller.context(), { licenseId, termEndsAt: expiresAt })).rejects.toMatchObject({
    code: "state_invalid",
  });
  await expectBooksToAgree(world.db);
});

test("the database rejects a second automatic renewal of a term", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await autoRenewed(reseller);
  world.advance(29 * DAY_MS);
  await run(reseller);
  await world.db.query(sql("update licenses set expires_at = $2 where id = $1"), [licenseId, expiresAt]);
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 1 });
});

test("the earliest end is paid first, then the cheaper; one that cannot be paid does not stop the rest", async () => {
  const reseller = await world.reseller({ funds: "80" });
  // 80 − 4.75 − 5 setup − 9.25 − 12 − 14.50 − 14.50 = 20
  const late = await autoRenewed(reseller, { type: "backup_agent" });
  const cheap = await autoRenewed(reseller, { type: "malware_scanner" });
  const middle = await autoRenewed(reseller, { type: "hardened_kernel" });
  const dear = await autoRenewed(reseller, { type: "control_panel" });
  const early = await autoRenewed(reseller, { type: "control_panel" });
  const move = (id: number, days: number) =>
    world.db.query(sql("update licenses set expires_at = expires_at + make_interval(days => $2) where id = $1"), [
      id,
      days,
    ]);
  await move(early.licenseId, -1);
  await move(late.licenseId, 1);
  world.advance(29 * DAY_MS);
  // 20 pays the earliest (14.50), then nothing of the second day (9.25, 12, 14.50), then the last (4.75).
  expect(await run(reseller)).toEqual({ renewed: 2, pending: 0, failed: 3, waiting: 0, skipped: 0 });
  const renewed = (await reseller.operations()).filter(({ kind }) => kind === "license_renew");
  expect(renewed.map(({ license_id }) => license_id)).toEqual([early.licenseId, late.licenseId]);
  expect(await failures(reseller)).toEqual(
    [
      { ...cheap, price: 9.25 },
      { ...middle, price: 12 },
      { ...dear, price: 14.5 },
    ].map(({ licenseId, price }) => ({ license_id: licenseId, reason: "insufficient_balance", price })),
  );
  // 12.35 more: the cheaper of the same day comes first, and uses what the more expensive one would need.
  await topUpWallet(world.operator, { resellerId: reseller.id, amount: "12.35", note: "" });
  expect(await run(reseller)).toMatchObject({ renewed: 1, failed: 2 });
  expect((await reseller.operations()).at(-1)?.license_id).toBe(cheap.licenseId);
  expect(await failures(reseller)).toHaveLength(3);
  await expectBooksToAgree(world.db);
});

test("a failure is reported once per term and reason, and retried until the term ends", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await autoRenewed(reseller);
  await world.db.query(sql("update licenses set ip_address = '192.0.2.10' where id = $1"), [licenseId]);
  world.advance(29 * DAY_MS);
  expect(await run(reseller)).toMatchObject({ failed: 1 });
  expect(await run(reseller)).toMatchObject({ failed: 1 });
  expect(await failures(reseller)).toEqual([{ license_id: licenseId, reason: "provider_failed", price: null }]);
  await world.db.query(sql("update licenses set ip_address = '192.0.2.60' where id = $1"), [licenseId]);
  expect(await run(reseller)).toMatchObject({ failed: 1 });
  expect(await failures(reseller)).toHaveLength(1);
  await world.db.query(sql("update licenses set ip_address = '198.18.99.1' where id = $1"), [licenseId]);
  expect(await run(reseller)).toMatchObject({ renewed: 1 });
  world.advance(40 * DAY_MS);
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  await expectBooksToAgree(world.db);
});

async function autoRenewedMember(reseller: ResellerWorld) {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const bought = { bundleId, cycleId, ipAddress: world.freshIp() };
  const { instance } = await registerBundle(reseller.context(), bought);
  await setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on: true });
  return { licenseId: instance.members[0]?.id ?? 0 };
}

test.each([
  ["license", "rejects", autoRenewed],
  ["license", "refusesConnection", autoRenewed],
  ["bundle", "rejects", autoRenewedMember],
] as const)(
  "the automatic renewal of a %s that the provider %s is one line of its history, in the provider's words",
  async (_, fault, buy) => {
    const reseller = await world.reseller();
    const { licenseId } = await buy(reseller);
    await placeLicense(world, licenseId, rehearsed[fault]);
    world.advance(29 * DAY_MS);
    for (let attempt = 0; attempt < 3; attempt++) {
      world.advance(60_000);
      expect(await run(reseller)).toMatchObject({ failed: 1 });
    }
    const history = await getLicenseHistory(reseller.context(), { licenseId, limit: 100 });
    expect(history.map(({ eventKind, operation }) => [eventKind, operation?.state])).toEqual([
      ["license.renewal_failed", "rejected"],
      ["license.activated", "succeeded"],
    ]);
    expect(history[0]?.operation?.failureMessage).toBeTruthy();
  },
);

test("the history shows each reason in turn for which a provider refuses a term, and its repetition once", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await autoRenewed(reseller);
  world.advance(29 * DAY_MS);
  for (const fault of ["refusesConnection", "rejects", "rejects", "rejects", "refusesConnection"] as const) {
    await placeLicense(world, licenseId, rehearsed[fault]);
    world.advance(60_000);
    expect(await run(reseller)).toMatchObject({ failed: 1 });
  }
  const history = await getLicenseHistory(reseller.context(), { licenseId, limit: 100 });
  expect(history.map(({ eventKind, operation }) => [eventKind, operation?.failureMessage])).toEqual([
    [null, "The provider refused the connection."],
    [null, "The provider rejected this address."],
    ["license.renewal_failed", "The provider refused the connection."],
    ["license.activated", null],
  ]);
});

test("a rejected renewal whose process died before it was reported is in the history", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await autoRenewed(reseller);
  await placeLicense(world, licenseId, rehearsed.refusesConnection);
  world.advance(29 * DAY_MS);
  const dying = dyingAt(world.operator, "emit_renewal_failure_license", { before: true });
  await expect(runDueRenewals(dying, { resellerId: reseller.id })).rejects.toThrow();
  expect(await failures(reseller)).toEqual([]);
  expect((await getLicenseHistory(reseller.context(), { licenseId, limit: 100 }))[0]).toMatchObject({
    eventKind: null,
    operation: { state: "rejected", failureMessage: "The provider refused the connection." },
  });
});

test("a failure of the present term is listed with its first time, however much has happened since, and none of an earlier term", async () => {
  const reseller = await world.reseller({ funds: "14.50" });
  const { licenseId, expiresAt } = await autoRenewed(reseller);
  const listed = async () => {
    const termEndsAt = (await reseller.license(licenseId)).expiresAt;
    return listRenewalFailures(reseller.context(), { licenseId, termEndsAt });
  };
  world.advance(29 * DAY_MS);
  expect(await listed()).toEqual([]);
  const unpaid = { at: world.operator.now(), data: { reason: "insufficient_balance", price: 14.5 } };
  await run(reseller);
  expect(await listed()).toMatchObject([unpaid]);
  await world.db.query(sql("update licenses set ip_address = '192.0.2.10' where id = $1"), [licenseId]);
  await topUpWallet(world.operator, { resellerId: reseller.id, amount: "14.50", note: "" });
  world.advance(60_000);
  const refused = { at: world.operator.now(), data: { reason: "provider_failed" } };
  for (let attempt = 0; attempt < 3; attempt++) {
    expect(await run(reseller)).toMatchObject({ failed: 1 });
    expect(await listed()).toMatchObject([refused, unpaid]);
    world.advance(60_000);
  }
  const other = (await world.reseller()).context();
  expect(await listRenewalFailures(other, { licenseId, termEndsAt: expiresAt })).toEqual([]);
  await world.db.query(sql("update licenses set ip_address = '198.18.99.2' where id = $1"), [licenseId]);
  expect(await run(reseller)).toMatchObject({ renewed: 1 });
  expect(await listed()).toEqual([]);
});

test("a renewal that the provider's minute does not allow has not failed while a later run can make it", async () => {
  const reseller = await world.reseller();
  const { expiresAt } = await autoRenewed(reseller);
  const busy: LicenseProvider = { ...world.provider, turns: { take: async () => null, usedUpForMs: () => 60_000 } };
  const ctx = { ...world.operator, providers: new Map([[busy.name, busy]]) };
  const runBusy = () => runDueRenewals(ctx, { resellerId: reseller.id });
  world.setClock(new Date(expiresAt.getTime() - 2 * 3_600_000));
  expect(await runBusy()).toMatchObject({ failed: 0, skipped: 1 });
  expect(await failures(reseller)).toEqual([]);
  world.setClock(new Date(expiresAt.getTime() - 3_600_000));
  expect(await runBusy()).toMatchObject({ failed: 1, skipped: 0 });
  expect(await failures(reseller)).toMatchObject([{ reason: "provider_failed" }]);
  expect(await run(reseller)).toMatchObject({ renewed: 1 });
});

test("an unknown outcome is not retried: the reconciler learns it, and the term is renewed once", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await autoRenewed(reseller);
  await world.db.query(sql("update licenses set ip_address = '192.0.2.20' where id = $1"), [licenseId]);
  world.advance(29 * DAY_MS);
  expect(await run(reseller)).toMatchObject({ pending: 1 });
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  await reconcileOperations(world.operator, { early: true });
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  expect((await reseller.license(licenseId)).expiresAt.toISOString()).toBe("2027-05-10T12:00:00.000Z");
  expect(await reseller.entries()).toHaveLength(3);
  await expectBooksToAgree(world.db);
});

test("a term is renewed once although the worker dies before or after the provider's request", async () => {
  for (const [dyingAt, sentOnce] of [
    ["mark_operation_sent", false],
    ["settle_operations", true],
  ] as const) {
    const reseller = await world.reseller();
    const { licenseId } = await autoRenewed(reseller);
    world.advance(29 * DAY_MS);
    const { operator } = world;
    const query: typeof operator.db.query = (statement, values) =>
      statement.name === dyingAt ? Promise.reject(new Error("killed")) : operator.db.query(statement, values);
    const dying = { ...operator, db: { ...operator.db, query } };
    await expect(runDueRenewals(dying, { resellerId: reseller.id })).rejects.toThrow("1 renewals failed unexpectedly");
    expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
    await world.crash();
    await reconcileOperations(world.operator, { early: false });
    expect((await run(reseller)).renewed).toBe(sentOnce ? 0 : 1);
    expect((await reseller.license(licenseId)).expiresAt.getTime()).toBeGreaterThan(
      world.now().getTime() + 28 * DAY_MS,
    );
    expect(await reseller.entries()).toHaveLength(3);
    world.setClock("2027-03-10T12:00:00Z");
  }
  await expectBooksToAgree(world.db);
});

test("a bundle renews as one; members cannot renew separately", async () => {
  const reseller = await world.reseller();
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const bundle = await registerBundle(reseller.context(), {
    bundleId,
    cycleId,
    ipAddress: "198.18.77.1" as LicenseAddress,
  });
  const bundleInstanceId = bundle.instance.id;
  await setBundleAutoRenew(reseller.context(), { bundleInstanceId, on: true });
  const choice = { licenseId: Number(bundle.instance.members[0]?.id), on: true };
  await expect(setLicenseAutoRenew(reseller.context(), choice)).rejects.toMatchObject({ code: "state_invalid" });
  world.advance(29 * DAY_MS);
  expect(await run(reseller)).toMatchObject({ renewed: 1 });
  expect((await reseller.license(choice.licenseId)).expiresAt.toISOString()).toBe("2027-05-10T12:00:00.000Z");
  await expectBooksToAgree(world.db);
});

test("a license without auto-renew or of a suspended reseller is not renewed; one that is no longer sold fails", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await autoRenewed(reseller);
  const off = await autoRenewed(reseller);
  await setLicenseAutoRenew(reseller.context(), { licenseId: off.licenseId, on: false });
  world.advance(29 * DAY_MS);
  const set = (text: string, id: number) => world.db.query(sql(text), [id]);
  await set("update resellers set suspended_at = now() where id = $1", reseller.id);
  expect(await run(reseller)).toEqual({ renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 });
  await set("update resellers set suspended_at = null, currency = 'CHF' where id = $1", reseller.id);
  expect(await run(reseller)).toMatchObject({ failed: 1 });
  expect(await failures(reseller)).toEqual([{ license_id: licenseId, reason: "no_price", price: null }]);
  await set("update resellers set currency = 'USD' where id = $1", reseller.id);
  expect(await run(reseller)).toMatchObject({ renewed: 1 });
});

test("a turn reads what is due next and all that ends together, not everything that is due", async () => {
  const reseller = await world.reseller();
  for (let i = 0; i < 26; i++) await autoRenewed(reseller);
  // The first 13 end together.
  await world.db.query(
    sql(`update licenses l set expires_at = expires_at + make_interval(mins => greatest(o.place - 13, 0))
           from (select id, row_number() over (order by id desc)::int as place from licenses where reseller_id = $1) o
          where l.id = o.id`),
    [reseller.id],
  );
  await world.db.query(sql("update resellers set currency = 'CHF' where id = $1"), [reseller.id]);
  world.advance(29 * DAY_MS);
  const { operator } = world;
  const read: number[] = [];
  const query: typeof operator.db.query = async (statement, values) => {
    const rows = await operator.db.query(statement, values);
    if (statement.name === "list_due_renewables") read.push(rows.length);
    return rows;
  };
  const ctx = { ...operator, db: { ...operator.db, query } };
  expect(await runDueRenewals(ctx, { resellerId: reseller.id })).toMatchObject({ failed: 26 });
  expect(read).toEqual([13, 24, 7]);
  expect(new Set((await failures(reseller)).map(({ license_id }) => license_id)).size).toBe(26);
});

test("a turn that starts late reads what has not ended, however much has ended since the turn before", async () => {
  const reseller = await world.reseller({ funds: "1000" });
  const ends: number[] = [];
  for (let i = 0; i < 40; i++) {
    ends.push((await autoRenewed(reseller)).expiresAt.getTime());
    world.advance(60_000);
  }
  await world.db.query(sql("update resellers set currency = 'CHF' where id = $1"), [reseller.id]);
  world.advance(29 * DAY_MS);
  const { operator } = world;
  let turns = 0;
  const query: typeof operator.db.query = (statement, values) => {
    // 10 are done before the second turn; 15 have ended since.
    if (statement.name === "get_renewal_rules" && ++turns === 2) world.setClock(new Date(ends[24] ?? Number.NaN));
    return operator.db.query(statement, values);
  };
  const ctx = { ...operator, db: { ...operator.db, query } };
  expect(await runDueRenewals(ctx, { resellerId: reseller.id })).toMatchObject({ failed: 25 });
  expect(turns).toBe(3);
});

test("due renewals are found across resellers", async () => {
  const [one, two] = [await world.reseller(), await world.reseller()];
  await autoRenewed(one);
  await autoRenewed(two);
  world.advance(29 * DAY_MS);
  expect(await wakeRenewals(world.operator)).toBeGreaterThanOrEqual(2);
  expect((await runDueRenewals(world.operator)).renewed).toBeGreaterThanOrEqual(2);
  expect((await runDueRenewals(world.operator)).renewed).toBe(0);
});
