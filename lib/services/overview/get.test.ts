import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProviderHealth } from "#lib/ports/license-provider.ts";
import { createResellerApiKey } from "#lib/services/api-key/create.ts";
import { revokeApiKey } from "#lib/services/api-key/revoke.ts";
import { rotateApiKey } from "#lib/services/api-key/rotate.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { listLicenses } from "#lib/services/license/list.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { verifyLicense } from "#lib/services/license/verify.ts";
import { runDueRenewals } from "#lib/services/renewals/run-due.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf, placeLicense, rehearsed } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getOverview } from "./get.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(() => world.setClock("2027-03-10T12:00:00Z"));
afterAll(() => world.close());

const read = (resellerId: Parameters<typeof actors.user>[0]) => getOverview(world.context(actors.user(resellerId)));

test("a new reseller has no data, and every first step to do", async () => {
  const reseller = await world.reseller();
  const overview = await read(reseller.id);
  expect(overview.licenses).toEqual({
    pending: 0,
    active: 0,
    suspended: 0,
    expired: 0,
    within7Days: 0,
    within30Days: 0,
  });
  expect(overview.firstSteps).toEqual({ topUp: true, license: false, apiKey: false, webhook: false });
  const penniless = await world.reseller({ funds: "0" });
  expect((await read(penniless.id)).firstSteps.topUp).toBe(false);
  expect(overview.spend).toEqual([]);
  expect(overview.months.map((month) => month.toISOString().slice(0, 10))).toEqual([
    "2026-10-01",
    "2026-11-01",
    "2026-12-01",
    "2027-01-01",
    "2027-02-01",
    "2027-03-01",
  ]);
  expect(overview.supply).toEqual({ state: "operational", affected: [] });
});

test("licenses are counted by state and end, per reseller", async () => {
  const reseller = await world.reseller();
  const other = await world.reseller();
  await other.register();
  const { licenseId } = await reseller.register();
  await reseller.register();
  await suspendLicense(reseller.admin(), { licenseId, reason: "Abuse" });
  expect(await read(reseller.id)).toMatchObject({
    licenses: { active: 1, suspended: 1, within7Days: 0, within30Days: 0 },
    alerts: { suspendedByAdmin: 1, suspendedByAdminId: licenseId, lapsing: 0 },
    firstSteps: { license: true },
  });
  world.setClock("2027-04-08T12:00:00Z");
  expect(await read(reseller.id)).toMatchObject({
    licenses: { active: 1, within7Days: 2, within30Days: 2 },
    alerts: { lapsing: 2 },
  });
  world.setClock("2027-04-11T12:00:00Z");
  expect(await read(reseller.id)).toMatchObject({ licenses: { active: 0, expired: 1, suspended: 1, within7Days: 0 } });
});

test("spending is reported by month and product", async () => {
  const reseller = await world.reseller();
  await reseller.register({ type: "control_panel" });
  world.setClock("2027-04-02T12:00:00Z");
  await reseller.register({ type: "control_panel" });
  await reseller.register({ type: "control_panel" });
  const { spend } = await read(reseller.id);
  const sum = spend.reduce((total, { amount }) => total + amount, 0n);
  expect(spend.map(({ month, name }) => [month.toISOString().slice(0, 7), name])).toEqual([
    ["2027-03", "Server Control Panel"],
    ["2027-04", "Server Control Panel"],
  ]);
  expect(spend[1]?.amount).toBe(2n * (spend[0]?.amount ?? 0n));
  expect(await reseller.spendable()).toBe(100_000n - sum);
});

test("a month in which more was refunded than charged is negative, as in the ledger", async () => {
  const reseller = await world.reseller();
  const { operation } = await reseller.register({ type: "control_panel" });
  world.setClock("2027-04-02T12:00:00Z");
  const other = await reseller.register({ type: "hardened_kernel" });
  await refundCharge(world.operator, { operationId: operation.id, reason: "by mistake" });
  const { spend } = await read(reseller.id);
  expect(spend.map(({ month, name, amount }) => [month.getUTCMonth() + 1, name, amount])).toEqual([
    [3, "Server Control Panel", operation.price],
    [4, "Hardened Kernel", other.operation.price],
    [4, "Server Control Panel", -operation.price],
  ]);
});

test("a failed renewal is an alert and in its list until the license is renewed, and a recent event", async () => {
  const reseller = await world.reseller({ funds: "100" });
  const { licenseId } = await reseller.register({ type: "control_panel" });
  await setLicenseAutoRenew(reseller.context(), { licenseId, on: true });
  const left = await reseller.spendable();
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: `-${Number(left) / 100}`, reason: "test" });
  world.setClock("2027-04-09T12:00:00Z");
  await runDueRenewals(world.operator);
  const { alerts, recent } = await read(reseller.id);
  expect(alerts).toMatchObject({ failedRenewals: 1, failedRenewalId: licenseId, lapsing: 0 });
  const listFailed = async () => {
    const page = { filter: { renewal: "failed" }, order: "newest", after: null, limit: 10 } as const;
    return (await listLicenses(reseller.context(), page)).rows.map(({ id }) => id);
  };
  expect(await listFailed()).toEqual([licenseId]);
  expect(recent[0]).toMatchObject({ kind: "license.renewal_failed", licenseId, name: "Server Control Panel" });
  await adjustWallet(world.operator, { resellerId: reseller.id, amount: "100", reason: "test" });
  await runDueRenewals(world.operator);
  expect((await read(reseller.id)).alerts).toMatchObject({ failedRenewals: 0, failedRenewalId: null });
  expect(await listFailed()).toEqual([]);
});

test("a rejected request to renew is no failed automatic renewal: nothing retries it", async () => {
  const reseller = await world.reseller();
  const { licenseId, expiresAt } = await reseller.register({ type: "control_panel" });
  await placeLicense(world, licenseId, rehearsed.rejects);
  world.setClock(new Date(expiresAt.getTime() - 3_600_000));
  expect(await codeOf(renewLicense(reseller.context(), { licenseId }))).toBe("provider_rejected");
  // As an item of a job, which names its term.
  const item = { licenseId, termEndsAt: expiresAt, agreedPrice: 1450n };
  expect(await codeOf(renewLicense(reseller.admin(), item))).toBe("provider_rejected");
  const { alerts, recent } = await read(reseller.id);
  expect(alerts).toMatchObject({ failedRenewals: 0, failedRenewalId: null });
  const failures = recent.filter(({ kind }) => kind === "license.renewal_failed");
  expect(failures.map(({ data }) => data.requested)).toEqual([true, true]);
  await placeLicense(world, licenseId, world.freshIp());
});

test("a verification that fails on another address is listed until the license is bound to it", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const { ipAddress, key } = await reseller.license(licenseId);
  const verify = async (on: string) => {
    await verifyLicense(reseller.context(), { licenseKey: key as never, ipAddress: on });
    await world.db.writeBehind.flush();
  };
  const failing = async () => (await read(reseller.id)).failingVerifications;
  await verify(ipAddress);
  expect(await failing()).toEqual([]);
  await verify("198.51.100.77");
  await verify("198.51.100.77");
  const seen = { seen: "198.51.100.77", since: world.now() };
  const mismatch = { code: "IP_MISMATCH", bound: ipAddress, ...seen, licenses: 1, licenseId };
  expect(await failing()).toEqual([mismatch]);
  expect((await read((await world.reseller()).id)).failingVerifications).toEqual([]);
  await changeLicenseIp(reseller.context(), { licenseId, newIp: "198.51.100.77" as never });
  expect(await failing()).toEqual([]);
});

test("failures on purpose and failures of an earlier day are not listed; an expired license in use is", async () => {
  const reseller = await world.reseller();
  const { licenseId } = await reseller.register();
  const { ipAddress, key, expiresAt } = await reseller.license(licenseId);
  const verify = async (on: string) => {
    await verifyLicense(reseller.context(), { licenseKey: key as never, ipAddress: on });
    await world.db.writeBehind.flush();
  };
  const failing = async () => (await read(reseller.id)).failingVerifications;
  await verify("198.51.100.78");
  expect(await failing()).toHaveLength(1);
  await suspendLicense(reseller.admin(), { licenseId, reason: "Abuse" });
  expect(await failing()).toEqual([]);
  await unsuspendLicense(reseller.admin(), { licenseId });
  world.advance(25 * 3_600_000);
  expect(await failing()).toEqual([]);
  world.setClock(new Date((expiresAt?.getTime() ?? 0) + 60_000).toISOString());
  await verify(ipAddress);
  expect(await failing()).toMatchObject([{ code: "EXPIRED", seen: ipAddress, licenses: 1, licenseId }]);
});

test("a key that will end is an alert while programs use it, also after its rotation", async () => {
  const reseller = await world.reseller();
  const inDays = (days: number) => new Date(world.now().getTime() + days * 86_400_000);
  const newKey = async (expiresAt: Date | null, usedAt: Date | null) => {
    const { apiKeyId } = await createResellerApiKey(world.operator, {
      resellerId: reseller.id,
      name: "shop",
      scopes: ["licenses:read"],
      expiresAt,
    });
    if (usedAt) world.db.writeBehind.keyUsed(apiKeyId, usedAt, "192.0.2.1");
    return apiKeyId;
  };
  await newKey(inDays(15), inDays(0));
  await newKey(null, inDays(0));
  await newKey(inDays(3), null);
  await newKey(inDays(3), inDays(-8));
  const ending = await newKey(inDays(13), inDays(-1));
  await world.db.writeBehind.flush();
  const alerts = async () => (await read(reseller.id)).alerts;
  expect(await alerts()).toMatchObject({ endingKeys: 1, endingKeyId: ending });
  await rotateApiKey(world.operator, { apiKeyId: ending });
  expect(await alerts()).toMatchObject({ endingKeys: 1, endingKeyId: ending });
  await revokeApiKey(world.operator, { apiKeyId: ending });
  expect(await alerts()).toMatchObject({ endingKeys: 0, endingKeyId: null });
});

test("an open change is listed as waiting after ten minutes, and as unknown immediately", async () => {
  const reseller = await world.reseller();
  await reseller.register({ ip: "192.0.2.20" });
  await world.db.query(sql("update operations set state = 'sent' where reseller_id = $1"), [reseller.id]);
  expect((await read(reseller.id)).alerts).toMatchObject({ waiting: 0, unknown: 0 });
  world.advance(11 * 60_000);
  expect((await read(reseller.id)).alerts).toMatchObject({ waiting: 1, unknown: 0 });
});

test.each([
  ["open", "unavailable"],
  ["disabled", "unavailable"],
  ["half_open", "slow"],
  ["closed", "operational"],
] as const)("a provider whose circuit is %s is reported as %s, with its products", async (state, expected) => {
  const { id } = await world.reseller();
  const health: ProviderHealth = { state, accepts: true, lastSuccessAt: null, lastFailure: null, lastLatencyMs: 20 };
  const provider = { ...world.provider, health: () => health };
  const ctx = world.context(actors.user(id), { providers: new Map([[provider.name, provider]]) });
  const { supply } = await getOverview(ctx);
  expect(supply.state).toBe(expected);
  expect(supply.affected.includes("Server Control Panel")).toBe(expected !== "operational");
});
