import { afterAll, beforeAll, expect, test } from "vitest";
import type { EventKind } from "#lib/domain/events.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { reportDiagnostics } from "#lib/services/diagnostics/report.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { terminateLicense } from "#lib/services/license/terminate.ts";
import { unsuspendLicense } from "#lib/services/license/unsuspend.ts";
import { updateLicense } from "#lib/services/license/update.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { emitExpiryNotices } from "#lib/services/renewals/emit-expiry-notices.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { setWalletLowBalanceThreshold } from "#lib/services/wallet/set-low-balance-threshold.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, codeOf, ip, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

const START = "2027-03-10T12:00:00Z";
const DAY_MS = 86_400_000;

let world: World;
beforeAll(async () => {
  world = await newWorld();
});
afterAll(() => world.close());

interface Emitted {
  readonly data: unknown;
  readonly ofLicense: number | null;
}

type License = Awaited<ReturnType<typeof metered>>;

async function metered(reseller: ResellerWorld, address: string = world.freshIp()) {
  const { licenseId, licenseKey, expiresAt } = await reseller.register({ type: "web_server", ip: address });
  return { licenseId, licenseKey, address, expiresAt };
}

/** The fields of each license event (contract 4.1). */
const base = ({ licenseId, address }: License) => ({
  license_id: `lic_${licenseId}`,
  type: "web_server",
  server: address,
});
const ofLicense = (license: License, more: object = {}): Emitted => ({
  data: { ...base(license), ...more },
  ofLicense: license.licenseId,
});
const ofNone = (data: object): Emitted => ({ data, ofLicense: null });

async function bundle(reseller: ResellerWorld, address: string = world.freshIp()) {
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: ip(address) });
  return { bundleId, bundleInstanceId: instance.id, address };
}

/** The cause of each kind of event, with its complete `data`. */
const causes: Record<EventKind, (reseller: ResellerWorld) => Promise<Emitted>> = {
  "license.activated": async (reseller) => ofLicense(await metered(reseller)),
  "license.renewed": async (reseller) => {
    const license = await metered(reseller);
    await renewLicense(reseller.context(), { licenseId: license.licenseId });
    return ofLicense(license, { expires_at: "2027-05-10T12:00:00Z" });
  },
  "license.suspended": async (reseller) => {
    const license = await metered(reseller);
    await suspendLicense(reseller.context(), { licenseId: license.licenseId, reason: "unpaid" });
    return ofLicense(license, { reason: "unpaid" });
  },
  "license.unsuspended": async (reseller) => {
    const license = await metered(reseller);
    await suspendLicense(reseller.admin(), { licenseId: license.licenseId });
    await unsuspendLicense(reseller.admin(), { licenseId: license.licenseId });
    return ofLicense(license);
  },
  "license.ip_changed": async (reseller) => {
    const license = await metered(reseller);
    const newIp = world.freshIp();
    await changeLicenseIp(reseller.context(), { licenseId: license.licenseId, newIp });
    return ofLicense({ ...license, address: newIp }, { old_ip: license.address, new_ip: newIp });
  },
  "license.cores_changed": async (reseller) => {
    const license = await metered(reseller);
    await changeLicenseCores(reseller.context(), { licenseId: license.licenseId, cores: 4 });
    return ofLicense(license, { old_cores: 1, new_cores: 4 });
  },
  "license.updated": async (reseller) => {
    const license = await metered(reseller);
    const hostname = parseHostname("web1.example.com") ?? undefined;
    await updateLicense(reseller.context(), { licenseKey: license.licenseKey, hostname });
    return ofLicense({ ...license, address: "web1.example.com" });
  },
  "license.expiring_soon": async (reseller) => {
    const license = await metered(reseller);
    world.setClock(new Date(license.expiresAt.getTime() - 3 * DAY_MS));
    await emitExpiryNotices(world.operator);
    return ofLicense(license, { expires_at: "2027-04-10T12:00:00Z", auto_renew: false, days_left: 3 });
  },
  "license.expired": async (reseller) => {
    const license = await metered(reseller);
    world.setClock(license.expiresAt);
    await emitExpiryNotices(world.operator);
    return ofLicense(license, { expires_at: "2027-04-10T12:00:00Z", auto_renew: false });
  },
  "license.terminated": async (reseller) => {
    const license = await metered(reseller);
    await terminateLicense(world.context(actors.user(reseller.id)), { licenseId: license.licenseId });
    return ofLicense(license);
  },
  "license.registration_failed": async (reseller) => {
    await codeOf(metered(reseller, rehearsed.rejects));
    const licenseId = expect.any(Number) as number;
    const data = { license_id: expect.stringMatching(/^lic_[1-9]\d*$/), type: "web_server", server: rehearsed.rejects };
    return { data, ofLicense: licenseId };
  },
  "license.renewal_failed": async (reseller) => {
    const license = await metered(reseller);
    await placeLicense(world, license.licenseId, rehearsed.rejects);
    await codeOf(renewLicense(reseller.context(), { licenseId: license.licenseId }));
    return ofLicense({ ...license, address: rehearsed.rejects }, { reason: "provider_failed", requested: true });
  },
  "bundle.registered": async (reseller) => {
    const { bundleId, bundleInstanceId, address } = await bundle(reseller);
    return ofNone({ bundle_instance_id: bundleInstanceId, bundle_id: bundleId, ip_address: address });
  },
  "bundle.renewed": async (reseller) => {
    const { bundleInstanceId } = await bundle(reseller);
    await renewBundle(reseller.context(), { bundleInstanceId });
    return ofNone({ bundle_instance_id: bundleInstanceId, expires_at: "2027-05-10T12:00:00Z" });
  },
  "bundle.ip_changed": async (reseller) => {
    const { bundleInstanceId, address } = await bundle(reseller);
    const newIp = world.freshIp();
    await changeBundleIp(reseller.context(), { bundleInstanceId, newIp });
    return ofNone({ bundle_instance_id: bundleInstanceId, old_ip: address, new_ip: newIp });
  },
  "wallet.topped_up": async () => ofNone({ amount: 1000, currency: "USD" }),
  "wallet.low_balance": async (reseller) => {
    await setWalletLowBalanceThreshold(world.context(actors.user(reseller.id)), { threshold: "999.5" });
    await adjustWallet(world.operator, { resellerId: reseller.id, amount: "-0.51", reason: "test" });
    return ofNone({ currency: "USD", balance: 999.49, threshold: 999.5 });
  },
  "operation.settled": async (reseller) => {
    const { operation, licenseId } = await reseller.register({ ip: rehearsed.losesAnswer });
    await reconcileOperations(world.operator, { early: true });
    const license = { license_id: `lic_${licenseId}`, type: "control_panel", server: rehearsed.losesAnswer };
    const data = { ...license, operation_id: operation.id, operation: "license.register", outcome: "succeeded" };
    return { data, ofLicense: licenseId };
  },
};

test.each(Object.entries(causes))(
  "%s is emitted once, with exactly its data (contract 4.1, 1.10)",
  async (kind, cause) => {
    world.setClock(START);
    await clearRehearsed(world);
    await world.db.query(sql("delete from notice_progress"), []);
    const reseller = await world.reseller();
    await emitExpiryNotices(world.operator);
    const expected = await cause(reseller);
    const emitted = await world.db.query(
      sql(`select data, license_id as "ofLicense" from events where reseller_id = $1 and kind = $2`),
      [reseller.id, kind],
    );
    expect(emitted).toEqual([expected]);
  },
);

test("a bundle's change emits its own event and one per member (contract 3.10, 4.1)", async () => {
  world.setClock(START);
  const reseller = await world.reseller();
  const { bundleInstanceId } = await bundle(reseller);
  await renewBundle(reseller.context(), { bundleInstanceId });
  await changeBundleIp(reseller.context(), { bundleInstanceId, newIp: world.freshIp() });
  const three = (kind: EventKind) => Array(3).fill(kind);
  expect(await reseller.eventKinds()).toEqual([
    ...three("license.activated"),
    "bundle.registered",
    ...three("license.renewed"),
    "bundle.renewed",
    ...three("license.ip_changed"),
    "bundle.ip_changed",
  ]);
});

test("the settlement event of a bundle's operation has the bundle's id (contract 4.1)", async () => {
  world.setClock(START);
  await clearRehearsed(world);
  const reseller = await world.reseller();
  const { bundleInstanceId } = await bundle(reseller, rehearsed.losesAnswer);
  await reconcileOperations(world.operator, { early: true });
  const emitted = await world.db.query(
    sql("select data - 'operation_id' as data from events where reseller_id = $1 and kind = 'operation.settled'"),
    [reseller.id],
  );
  const settled = { operation: "bundle.register", outcome: "rejected", bundle_instance_id: bundleInstanceId };
  expect(emitted).toEqual([{ data: settled }]);
});

test("a host name from an agent or with a new address emits an event (contract 2.3, 2.6, 4.1)", async () => {
  world.setClock(START);
  const reseller = await world.reseller();
  const reported = await metered(reseller);
  const hostname = parseHostname("web2.example.com");
  if (!hostname) throw new Error("no host name");
  const fields = { os: "", kernel: "", cpuCores: 1, memory: "1GB", diskFree: "1GB", uptime: "1 days", sentAt: null };
  await reportDiagnostics(reseller.context(), {
    ...fields,
    licenseKey: reported.licenseKey,
    hostname,
    sourceAddress: reported.address,
  });
  const moved = await metered(reseller);
  const ipAddress = world.freshIp();
  await updateLicense(reseller.context(), { licenseKey: moved.licenseKey, hostname, ipAddress });
  const emitted = await world.db.query(
    sql(`select kind, data ->> 'license_id' as license, data ->> 'server' as server from events
            where reseller_id = $1 and kind in ('license.updated', 'license.ip_changed') order by occurred_at, ctid`),
    [reseller.id],
  );
  const server = hostname;
  expect(emitted).toEqual([
    { kind: "license.updated", license: `lic_${reported.licenseId}`, server },
    { kind: "license.ip_changed", license: `lic_${moved.licenseId}`, server },
    { kind: "license.updated", license: `lic_${moved.licenseId}`, server },
  ]);
});
