import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LicenseAddress } from "#lib/domain/license-address.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { sql } from "#tests/sql.ts";
import { placeLicense, rehearsed } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { adjustWallet } from "./adjust.ts";
import { getWalletRunway } from "./runway.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.setClock("2027-03-10T12:00:00Z"));
afterAll(() => world.close());

test("it adds up monthly renewals with auto-renew at today's prices, or all renewals", async () => {
  const reseller = await world.reseller({ funds: "100" });
  const { licenseId } = await reseller.register({ type: "control_panel" });
  await reseller.register({ type: "hardened_kernel" });
  expect(await getWalletRunway(reseller.context())).toMatchObject({ renewalCount: 0, coversUntil: null, lapses: [] });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  const runway = await getWalletRunway(reseller.context());
  // 10 April, 10 May; the third is due after 92 days.
  expect(runway).toMatchObject({
    renewalCount: 2,
    renewalSum: 2900n,
    spendable: 7350n,
    coversUntil: null,
    currency: "USD",
  });
  expect(runway.topUpNeeded).toEqual({ days30: 0n, days60: 0n, days90: 0n });
  expect(await getWalletRunway(reseller.context(), { all: true })).toMatchObject({
    renewalCount: 4,
    renewalSum: 5300n,
  });
});

test("it reports the first lapses, their time, and the needed top-up", async () => {
  const reseller = await world.reseller({ funds: "100" });
  const { licenseId } = await reseller.register({ type: "control_panel" });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-65.5", reason: "test" });
  expect(await getWalletRunway(reseller.context())).toMatchObject({ spendable: 2000n });
  const { coversUntil, lapses, lapseCount, topUpNeeded, projected } = await getWalletRunway(reseller.context());
  expect(coversUntil?.toISOString()).toBe("2027-05-10T12:00:00.000Z");
  expect(lapseCount).toBe(1);
  expect(lapses).toEqual([
    {
      kind: "license",
      id: licenseId,
      label: expect.stringMatching(/^Server Control Panel on 198\.18\./),
      dueAt: coversUntil,
      price: 1450n,
    },
  ]);
  expect(topUpNeeded).toEqual({ days30: 0n, days60: 0n, days90: 900n });
  expect(projected.at(-1)).toEqual({ at: new Date("2027-06-08T12:00:00Z"), balance: -900n });
});

test("the projected balance misses what the top-up asks for, also for renewals after one that lapses", async () => {
  const reseller = await world.reseller({ funds: "100" });
  const { licenseId } = await reseller.register({ type: "control_panel" });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-80.5", reason: "test" });
  const { spendable, renewalSum, topUpNeeded, projected } = await getWalletRunway(reseller.context());
  expect([spendable, renewalSum]).toEqual([500n, 2900n]);
  expect(projected.at(-1)?.balance).toBe(-2400n);
  expect(topUpNeeded.days90).toBe(2400n);
});

test("its price of a renewal equals the charge, with cores and for a bundle with a metered member", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register({ type: "web_server" });
  await changeLicenseCores(reseller.context(), { licenseId, cores: 3 });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  const perMonth = async () => (await getWalletRunway(reseller.context())).renewalSum / 2n;
  const licensePrice = await perMonth();
  expect((await renewLicense(reseller.context(), { licenseId })).operation.price).toBe(licensePrice);
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: false });

  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), {
    bundleId,
    cycleId,
    ipAddress: "198.18.66.1" as LicenseAddress,
  });
  await setBundleAutoRenew(reseller.context(), { bundleInstanceId: instance.id, on: true });
  await world.db.query(sql("update licenses set cores = 4 where bundle_instance_id = $1 and cores is not null"), [
    instance.id,
  ]);
  const bundlePrice = await perMonth();
  expect(bundlePrice).toBe(3200n + 3n * 650n);
  expect((await renewBundle(reseller.context(), { bundleInstanceId: instance.id })).operation.price).toBe(bundlePrice);
});

test("an open renewal is not counted twice, because its money is held", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  await placeLicense(world, licenseId, rehearsed.losesRequest);
  const before = await getWalletRunway(reseller.context());
  expect(await renewLicense(reseller.context(), { licenseId })).toMatchObject({ pending: true });
  const after = await getWalletRunway(reseller.context());
  expect(after.spendable).toBe(before.spendable - 1450n);
  expect(after.renewalCount).toBe(before.renewalCount - 1);
});

test("what is no longer sold lapses without being a want of money", async () => {
  const reseller = await world.reseller({ funds: "100" });
  const { licenseId } = await reseller.register({ type: "control_panel" });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  await world.db.query(sql("update resellers set currency = 'CHF' where id = $1"), [reseller.id]);
  expect(await getWalletRunway(reseller.context())).toMatchObject({
    ...{ renewalCount: 0, renewalSum: 0n, coversUntil: null, lapseCount: 1, unsoldCount: 1 },
    lapses: [{ id: licenseId, price: null }],
  });
});
