import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getBundleInstance } from "#lib/services/bundle/get.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { sql } from "#tests/sql.ts";
import { expectBooksToAgree } from "#tests/support/invariants.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeLicenseCores } from "./change-core.ts";
import { renewLicense } from "./renew.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  world.setClock("2027-04-01T00:00:00Z");
  reseller = await world.reseller({ funds: "100000" });
});
afterAll(async () => {
  await expectBooksToAgree(world.db);
  await world.close();
});

const FUNDS = 10_000_000n;
const cores = async (licenseId: number, wanted: number) =>
  (await changeLicenseCores(reseller.context(), { licenseId, cores: wanted })).price;
const renew = async (licenseId: number, months: number) => {
  const { cycleId } = await world.offer(reseller.id, "web_server", months);
  return (await renewLicense(reseller.context(), { licenseId, cycleId })).operation.price;
};
const spent = async () => FUNDS - (await reseller.spendable());

describe("contract 3.6: changing cores never gains money", () => {
  test("a yearly license renewed for a month credits the charges of its cores, not a year at the monthly price", async () => {
    const { licenseId } = await reseller.register({ type: "web_server", months: 12 });
    expect(await cores(licenseId, 32)).toBe(201_500n);
    expect(await renew(licenseId, 1)).toBe(21_950n);
    expect(await cores(licenseId, 1)).toBe(-(201_500n + 20_150n));
    // A year and a month of one core.
    expect(await spent()).toBe(18_000n + 1_800n);
  });

  test("a license renewed for ten years credits exactly ten charges", async () => {
    const { licenseId } = await reseller.register({ type: "web_server", months: 12 });
    for (let year = 1; year < 10; year++) await renew(licenseId, 12);
    expect(await cores(licenseId, 32)).toBe(10n * 201_500n);
    expect(await renew(licenseId, 1)).toBe(21_950n);
    expect(await cores(licenseId, 1)).toBe(-(10n * 201_500n + 20_150n));
    expect(await spent()).toBe(10n * 18_000n + 1_800n);
  });

  test("each month of 28 to 31 days credits its own charge, however far ahead", async () => {
    world.setClock("2027-01-31T00:00:00Z");
    const { licenseId } = await reseller.register({ type: "web_server" });
    for (let month = 1; month < 36; month++) await renew(licenseId, 1);
    const charged = await cores(licenseId, 32);
    expect(charged).toBe(36n * 31n * 650n);
    await renew(licenseId, 12);
    expect(await cores(licenseId, 1)).toBe(-(charged + 201_500n));
    expect(await spent()).toBe(36n * 1_800n + 18_000n);
  });

  test("a bundle's members credit the same", async () => {
    const { bundleId, cycleId } = await world.bundleOffer(reseller.id, "Performance Server", 12);
    const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
    const bundleInstanceId = instance.id;
    const member = (await getBundleInstance(reseller.context(), { bundleInstanceId })).members.find(
      (license) => license.coreMetered,
    );
    const monthly = await world.bundleOffer(reseller.id, "Performance Server", 1);
    expect(await cores(member?.id ?? 0, 32)).toBe(201_500n);
    const { operation } = await renewBundle(reseller.context(), { bundleInstanceId, cycleId: monthly.cycleId });
    expect(operation.price).toBe(3_200n + 20_150n);
    expect(await cores(member?.id ?? 0, 1)).toBe(-(201_500n + 20_150n));
    expect(await spent()).toBe(32_000n + 3_200n);
  });

  test("after a price increase, a credit is a share of the price that was paid", async () => {
    const { licenseId } = await reseller.register({ type: "web_server" });
    await cores(licenseId, 32);
    const { cycleId } = await world.offer(reseller.id, "web_server", 1);
    await world.db.query(
      sql(
        "insert into prices (cycle_id, reseller_id, currency, price, price_per_core) values ($1, $2, 'USD', 3600, 1300)",
      ),
      [cycleId, reseller.id],
    );
    world.setClock("2027-04-16T00:00:00Z");
    expect(await cores(licenseId, 1)).toBe(-(31n * 650n) / 2n);
    expect(await cores(licenseId, 2)).toBe(650n);
    expect(await spent()).toBe(1_800n + 10_075n + 650n);
  });
});
