import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { PriceRules } from "#lib/domain/renewal-price.ts";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { announceRisenPrices } from "./announce-prices.ts";
import { runDueRenewals } from "./run-due.ts";
import { setPriceRules } from "./set-price-rules.ts";

const DAY_MS = 86_400_000;
const PRICE = 1450n;
const RISEN = 9900n;
const idle = { renewed: 0, pending: 0, failed: 0, waiting: 0, skipped: 0 };
let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-03-10T12:00:00Z");
  reseller = await world.reseller();
});
afterAll(() => world.close());

const run = () => runDueRenewals(world.operator, { resellerId: reseller.id });
const announce = () => announceRisenPrices(world.operator, { resellerId: reseller.id });
const rules = (change: Partial<PriceRules>) =>
  setPriceRules(world.context(actors.user(reseller.id)), { noticeDays: 7, maxIncreasePercent: null, ...change });
const setPrice = (cycleId: number, price: bigint, pricePerCore: bigint | null = null) =>
  world.db.query(
    sql(`insert into prices (cycle_id, reseller_id, currency, price, setup_fee, price_per_core) values ($1, $2, 'USD', $3, 0, $4)
           on conflict (cycle_id, currency, reseller_id) do update set price = $3, price_per_core = $4`),
    [cycleId, reseller.id, price, pricePerCore],
  );
const eventsOf = (kind: string, of: ResellerId = reseller.id) =>
  world.db.query(
    sql<{ license_id: number; data: Record<string, unknown> }>(
      "select license_id, data from events where reseller_id = $1 and kind = $2 order by occurred_at, license_id",
    ),
    [of, kind],
  );

async function buy(type = "control_panel") {
  const { cycleId } = await world.offer(reseller.id, type);
  const { licenseId, expiresAt } = await reseller.register({ type });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  return { licenseId, expiresAt, cycleId };
}
async function agreedPrice(table: "licenses" | "bundle_instances", id: number) {
  const text = `select agreed_renewal_price as price from ${table} where id = $1`;
  const [row] = await world.db.query(sql<{ price: bigint | null }>(text), [id]);
  return row?.price;
}
const daysBefore = (instant: Date, days: number) => new Date(instant.getTime() - days * DAY_MS);

describe("an automatic renewal", () => {
  test("at a price above the agreed one is announced in advance, once, and charged when due", async () => {
    const { licenseId, cycleId, expiresAt } = await buy();
    await setPrice(cycleId, RISEN);
    world.setClock(daysBefore(expiresAt, 12));
    expect(await announce()).toBe(0);
    world.setClock(daysBefore(expiresAt, 11));
    expect(await announce()).toBe(1);
    expect(await announce()).toBe(0);
    expect(await eventsOf("license.expiring_soon")).toEqual([
      {
        license_id: licenseId,
        data: {
          license_id: `lic_${licenseId}`,
          type: "control_panel",
          server: expect.any(String),
          expires_at: "2027-04-10T12:00:00Z",
          auto_renew: true,
          price: 99,
          previous_price: 14.5,
          currency: "USD",
          charged_from: "2027-04-06T12:00:00Z",
        },
      },
    ]);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
    expect((await reseller.entries()).at(-1)).toBe(-RISEN);
    expect(await eventsOf("license.renewal_failed")).toEqual([]);
    // The charged price is now the agreed one.
    await setPrice(cycleId, RISEN);
    world.setClock(daysBefore(new Date("2027-05-10T12:00:00Z"), 3));
    expect(await announce()).toBe(0);
    expect(await run()).toEqual({ ...idle, renewed: 1 });
    await expectBooksToAgree(world.db);
  });

  test("at a price that was announced, agreed below, and has come back is announced again, and waits again", async () => {
    const { licenseId, cycleId, expiresAt } = await buy();
    const agree = () => setLicenseAutoRenew(reseller.context(), { licenseId, on: true, agreedPrice: PRICE });
    await rules({ noticeDays: 2 });
    await setPrice(cycleId, RISEN);
    world.setClock(daysBefore(expiresAt, 6));
    expect(await announce()).toBe(1);
    await setPrice(cycleId, PRICE);
    await agree();
    await setPrice(cycleId, RISEN);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, waiting: 1 });
    expect(await eventsOf("license.expiring_soon")).toMatchObject([
      { data: { price: 99, charged_from: "2027-04-06T12:00:00Z" } },
      { data: { price: 99, charged_from: "2027-04-09T12:00:00Z" } },
    ]);
    world.advance(2 * DAY_MS);
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("waits for the end of the notice without reporting a failure", async () => {
    const { cycleId, expiresAt } = await buy();
    await rules({ noticeDays: 2 });
    world.setClock(daysBefore(expiresAt, 3));
    await setPrice(cycleId, RISEN);
    expect(await run()).toEqual({ ...idle, waiting: 1 });
    world.advance(2 * DAY_MS - 1000);
    expect(await run()).toEqual({ ...idle, waiting: 1 });
    expect(await eventsOf("license.renewal_failed")).toEqual([]);
    world.advance(1000);
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("whose price rose too late fails once with that reason, and costs nothing", async () => {
    const { licenseId, cycleId, expiresAt } = await buy();
    world.setClock(daysBefore(expiresAt, 3));
    await setPrice(cycleId, RISEN);
    const before = await reseller.spendable();
    expect(await run()).toEqual({ ...idle, failed: 1 });
    expect(await run()).toEqual({ ...idle, failed: 1 });
    const [failure, ...more] = await eventsOf("license.renewal_failed");
    expect(failure?.data).toMatchObject({ reason: "price_limit", price: 99, previous_price: 14.5, currency: "USD" });
    expect(more).toEqual([]);
    const [notice] = await eventsOf("license.expiring_soon");
    expect(notice?.data).toMatchObject({ price: 99, charged_from: null });
    expect(await reseller.spendable()).toBe(before);

    // After a manual renewal at the new price, it auto-renews again.
    await renewLicense(reseller.context(), { licenseId, agreedPrice: RISEN });
    world.setClock(daysBefore(new Date("2027-05-10T12:00:00Z"), 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("above the limit fails until the limit is raised, however long ago it was announced", async () => {
    const { cycleId, expiresAt } = await buy();
    await rules({ maxIncreasePercent: 20 });
    await setPrice(cycleId, 1741n);
    world.setClock(daysBefore(expiresAt, 11));
    expect(await announce()).toBe(1);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, failed: 1 });
    expect((await eventsOf("license.renewal_failed"))[0]?.data).toMatchObject({ reason: "price_limit", price: 17.41 });
    await rules({ maxIncreasePercent: 21 });
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("within the limit is charged", async () => {
    const { cycleId, expiresAt } = await buy();
    await rules({ noticeDays: 0, maxIncreasePercent: 20 });
    await setPrice(cycleId, 1740n);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("at a lower price is charged immediately", async () => {
    const { cycleId, expiresAt } = await buy();
    await rules({ maxIncreasePercent: 0 });
    await setPrice(cycleId, 1000n);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
    expect((await reseller.entries()).at(-1)).toBe(-1000n);
  });

  test("never charges more than the assessed price, even if it rises meanwhile", async () => {
    const { cycleId, expiresAt } = await buy();
    world.setClock(daysBefore(expiresAt, 3));
    const { operator } = world;
    const query: typeof operator.db.query = async (statement, values) => {
      if (statement.name === "find_license") await setPrice(cycleId, RISEN);
      return operator.db.query(statement, values);
    };
    const raced = { ...operator, db: { ...operator.db, query } };
    expect(await runDueRenewals(raced, { resellerId: reseller.id })).toEqual({ ...idle, skipped: 1 });
    expect(await reseller.entries()).toHaveLength(2);
  });

  test.each([
    ["announced", 11, announceRisenPrices],
    ["announced or reported as failed", 3, runDueRenewals],
  ])("that is renewed by hand meanwhile is not %s at the old price", async (_, days, job) => {
    const { cycleId } = await world.offer(reseller.id, "control_panel", 12);
    await setPrice(cycleId, PRICE);
    const { licenseId } = await reseller.register();
    const { newExpiry } = await renewLicense(reseller.context(), { licenseId, cycleId });
    await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
    await setPrice(cycleId, RISEN);
    world.setClock(daysBefore(newExpiry, days));
    const monthly = await world.offer(reseller.id, "control_panel");
    const { operator } = world;
    const query: typeof operator.db.query = async (statement, values) => {
      if (statement.name === "announce_prices") {
        await renewLicense(reseller.context(), { licenseId, cycleId: monthly.cycleId });
      }
      return operator.db.query(statement, values);
    };
    const raced = { ...operator, db: { ...operator.db, query } };
    await job(raced, { resellerId: reseller.id });
    expect(await eventsOf("license.expiring_soon")).toEqual([]);
    expect(await eventsOf("license.renewal_failed")).toEqual([]);
    // Nothing has announced this increase of the monthly price.
    await setPrice(monthly.cycleId, RISEN - 1n);
    world.setClock(daysBefore((await reseller.license(licenseId)).expiresAt, 3));
    expect(await run()).toEqual({ ...idle, failed: 1 });
  });

  test("of a bundle is announced for each license, and waits as a whole", async () => {
    const { bundleId, cycleId, cycle } = await world.bundleOffer(reseller.id);
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    await setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on: true });
    world.setClock(daysBefore(instance.expiresAt, 3));
    await setPrice(cycleId, cycle.price + 1n);
    expect(await run()).toEqual({ ...idle, failed: 1 });
    const ids = instance.members.map(({ id }) => id).toSorted((a, b) => a - b);
    expect((await eventsOf("license.expiring_soon")).map(({ license_id }) => license_id)).toEqual(ids);
    expect((await eventsOf("license.renewal_failed")).map(({ license_id }) => license_id)).toEqual(ids);
    await rules({ noticeDays: 0 });
    expect(await run()).toEqual({ ...idle, renewed: 1 });
    const renewed = await getBundleInstance(reseller.context(), { bundleInstanceId: instance.id });
    expect(renewed.expiresAt > instance.expiresAt).toBe(true);
  });
});

describe("the agreed price", () => {
  test("includes chosen cores, which are no increase", async () => {
    const { licenseId, expiresAt } = await buy("web_server");
    await changeLicenseCores(reseller.context(), { licenseId, cores: 4 });
    await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
    await rules({ maxIncreasePercent: 0 });
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test.each([
    ["risen", 100n, 150n],
    ["fallen", 1000n, 200n],
  ])("is today's price without the cores that are removed, if their price has %s", async (_, before, after) => {
    const { cycleId } = await world.offer(reseller.id, "web_server");
    await setPrice(cycleId, 1000n, before);
    const { licenseId, expiresAt } = await buy("web_server");
    await changeLicenseCores(reseller.context(), { licenseId, cores: 32 });
    await setPrice(cycleId, 1000n, after);
    await changeLicenseCores(reseller.context(), { licenseId, cores: 1 });
    expect(await agreedPrice("licenses", licenseId)).toBe(1000n);
    await rules({ maxIncreasePercent: 0 });
    await setPrice(cycleId, 1001n, after);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, failed: 1 });
    await setPrice(cycleId, 1000n, after);
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("and the announced one are at most today's price without the cores that are removed", async () => {
    const { cycleId } = await world.offer(reseller.id, "web_server");
    await setPrice(cycleId, 1000n, 500n);
    const { licenseId, expiresAt } = await buy("web_server");
    await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
    await setPrice(cycleId, 1000n, 1500n);
    world.setClock(daysBefore(expiresAt, 11));
    expect(await announce()).toBe(1);
    await setPrice(cycleId, 1000n, 0n);
    await changeLicenseCores(reseller.context(), { licenseId, cores: 1 });
    await setPrice(cycleId, 4000n, 0n);
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, failed: 1 });
    expect((await reseller.entries()).at(-1)).not.toBe(-4000n);
  });

  test("of a bundle is today's price without the cores that are removed from a member", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    const metered = Number(instance.members.find(({ coreMetered }) => coreMetered)?.id);
    const [{ cycle_id: memberCycle } = expect.unreachable()] = await world.db.query(
      sql<{ cycle_id: number }>(
        "select c.id as cycle_id from billing_cycles c join licenses l on l.product_id = c.product_id where l.id = $1",
      ),
      [metered],
    );
    const agreed = () => agreedPrice("bundle_instances", instance.id);
    const alone = await agreed();
    await setPrice(memberCycle, 1000n, 1000n);
    await changeLicenseCores(reseller.context(), { licenseId: metered, cores: 4 });
    const announcePrice =
      "update bundle_instances set announced_renewal_price = $2, renewal_price_announced_at = now() where id = $1";
    await world.db.query(sql(announcePrice), [instance.id, 9000n]);
    await setPrice(memberCycle, 1000n, 200n);
    await changeLicenseCores(reseller.context(), { licenseId: metered, cores: 1 });
    expect(await agreed()).toBe(alone);
    const { announcedRenewalPrice } = await world.db.prisma.bundleInstance.findFirstOrThrow({
      where: { id: instance.id },
    });
    expect(announcedRenewalPrice).toBe(alone);
  });

  test("includes the cores of a bundle's member", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    await setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on: true });
    const metered = instance.members.find(({ coreMetered }) => coreMetered);
    await changeLicenseCores(reseller.context(), { licenseId: Number(metered?.id), cores: 3 });
    await rules({ maxIncreasePercent: 0 });
    world.setClock(daysBefore(instance.expiresAt, 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });

  test("is exactly the price shown when auto-renew was switched on", async () => {
    const { licenseId, cycleId, expiresAt } = await buy();
    await setPrice(cycleId, RISEN);
    const choose = (agreedPrice: bigint) =>
      setLicenseAutoRenew(reseller.context(), { licenseId, on: true, agreedPrice });
    expect(await codeOf(choose(PRICE))).toBe("price_changed");
    await choose(RISEN);
    await rules({ maxIncreasePercent: 0 });
    world.setClock(daysBefore(expiresAt, 3));
    expect(await run()).toEqual({ ...idle, renewed: 1 });
  });
});

describe("the rules", () => {
  test.each([
    [{ noticeDays: -1 }],
    [{ noticeDays: 61 }],
    [{ noticeDays: 1.5 }],
    [{ maxIncreasePercent: -1 }],
    [{ maxIncreasePercent: 1001 }],
  ])("reject %o", async (change) => {
    expect(await codeOf(rules(change))).toBe("parameters_invalid");
  });

  test("are in the audit log when they change, with their previous values", async () => {
    await rules({});
    await rules({ noticeDays: 3, maxIncreasePercent: 50 });
    const where = { resellerId: reseller.id, action: "wallet.set_price_rules" };
    const entries = await world.db.prisma.auditEntry.findMany({ where });
    expect(entries.map(({ data }) => data)).toEqual([
      { changes: { noticeDays: { before: 7, after: 3 }, maxIncreasePercent: { before: null, after: 50 } } },
    ]);
  });
});

describe("the runway", () => {
  test("adds up today's prices of coming renewals, and lists those blocked by their price", async () => {
    const blocked = await buy();
    const later = await buy("hardened_kernel");
    const kept = await buy("backup_agent");
    await setPrice(blocked.cycleId, RISEN);
    await setPrice(later.cycleId, 1300n);
    await rules({ maxIncreasePercent: 20 });
    const { cycle } = await world.offer(reseller.id, "backup_agent");
    const runway = await getWalletRunway(reseller.context());
    expect(runway).toMatchObject({
      renewalCount: 4,
      renewalSum: 2n * 1300n + 2n * cycle.price,
      risenCount: 2,
      blockedCount: 1,
      risen: [
        { id: blocked.licenseId, price: RISEN, agreedPrice: PRICE, obstacle: "above_limit" },
        { id: later.licenseId, price: 1300n, agreedPrice: 1200n, obstacle: null },
      ],
    });
    expect(runway.risen.map(({ id }) => id)).not.toContain(kept.licenseId);
    expect(await getWalletRunway(reseller.context(), { all: true })).toMatchObject({ renewalCount: 6, risen: [] });
  });

  test("says when a notice comes too late for the term", async () => {
    const { cycleId, expiresAt } = await buy();
    await setPrice(cycleId, RISEN);
    world.setClock(daysBefore(expiresAt, 5));
    expect(await getWalletRunway(reseller.context())).toMatchObject({
      blockedCount: 1,
      risen: [{ obstacle: "short_notice" }],
    });
  });
});
