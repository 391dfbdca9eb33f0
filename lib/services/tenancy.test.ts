import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiKeyId, OperationId } from "#lib/domain/ids.ts";
import { createLicenseKey } from "#lib/domain/license-key.ts";
import { sql } from "#tests/sql.ts";
import { formKey } from "#tests/support/claims.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { changeBundleIp } from "./bundle/change-ip.ts";
import { getBundleInstance } from "./bundle/get.ts";
import { listOwnBundleInstances } from "./bundle/list.ts";
import { registerBundle } from "./bundle/register.ts";
import { renewBundle } from "./bundle/renew.ts";
import type { ServiceContext } from "./context.ts";
import { getDiagnostics } from "./diagnostics/get.ts";
import { reportDiagnostics } from "./diagnostics/report.ts";
import { changeLicenseCores } from "./license/change-core.ts";
import { changeLicenseIp } from "./license/change-ip.ts";
import { findLicenseId, getLicense } from "./license/get.ts";
import { listLicenses } from "./license/list.ts";
import { renewLicense } from "./license/renew.ts";
import { setLicenseAutoRenew } from "./license/set-auto-renew.ts";
import { setLicenseLabels } from "./license/set-labels.ts";
import { getLicenseStatus } from "./license/status.ts";
import { suspendLicense } from "./license/suspend.ts";
import { terminateLicense } from "./license/terminate.ts";
import { unsuspendLicense } from "./license/unsuspend.ts";
import { updateLicense } from "./license/update.ts";
import { verifyLicense } from "./license/verify.ts";
import { getOperation } from "./operation/get.ts";
import { listWalletEntries } from "./wallet/list-entries.ts";

let world: World;
let owner: ResellerWorld;
let stranger: ResellerWorld;
let own: {
  operationId: OperationId;
  id: number;
  key: ReturnType<typeof createLicenseKey>;
  ip: string;
  instanceId: number;
};
const nothing = {
  operationId: "00000000-0000-4000-8000-000000000000" as OperationId,
  id: 2_000_000_000,
  instanceId: 2_000_000_000,
  ip: "198.18.255.1",
};
const nothingsKey = createLicenseKey((count) => new Uint8Array(count).fill(7));

beforeAll(async () => {
  world = await newWorld();
  owner = await world.reseller();
  stranger = await world.reseller();
  const license = await owner.register({ type: "web_server" });
  const { bundleId, cycleId } = await world.bundleOffer(owner.id);
  const bundle = await registerBundle(owner.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const { ipAddress } = await owner.license(license.licenseId);
  const operationId = license.operation.id as OperationId;
  own = { operationId, id: license.licenseId, key: license.licenseKey, ip: ipAddress, instanceId: bundle.instance.id };
  await reportDiagnostics(owner.context(), report(own.key, own.ip));
});
afterAll(() => world.close());

const report = (licenseKey: typeof nothingsKey, sourceAddress: string) =>
  ({
    licenseKey,
    hostname: "web1.example.com",
    sourceAddress,
    os: "Debian 12",
    kernel: "6.1",
    cpuCores: 4,
    memory: "8GB",
    diskFree: "40GB",
    uptime: "3 days",
    sentAt: null,
  }) as Parameters<typeof reportDiagnostics>[1];

type What = {
  readonly operationId: OperationId;
  readonly id: number;
  readonly key: typeof nothingsKey;
  readonly ip: string;
  readonly instanceId: number;
};

const questions: Record<string, (ctx: ServiceContext, what: What) => Promise<unknown>> = {
  "license.info": (ctx, { id }) => getLicense(ctx, { licenseId: id }),
  "license/status by key": (ctx, { key }) => getLicenseStatus(ctx, { licenseKey: key }),
  "license/status by id": (ctx, { id }) => getLicenseStatus(ctx, { licenseId: id }),
  "license/status by address": (ctx, what) => getLicenseStatus(ctx, { ipAddress: what.ip }),
  "license/verify": (ctx, { key, ip }) => verifyLicense(ctx, { licenseKey: key, ipAddress: ip }),
  "license/update of the host name": (ctx, { key }) =>
    updateLicense(ctx, { licenseKey: key, hostname: "a.example" as never }),
  "license/update of the address": (ctx, { key }) =>
    updateLicense(ctx, { licenseKey: key, ipAddress: world.freshIp() }),
  "license.renew": (ctx, { id }) => renewLicense(ctx, { licenseId: id }),
  "license.change_ip": (ctx, { id }) => changeLicenseIp(ctx, { licenseId: id, newIp: world.freshIp() }),
  "license.change_core": (ctx, { id }) => changeLicenseCores(ctx, { licenseId: id, cores: 2 }),
  "license.suspend": (ctx, { id }) => suspendLicense(ctx, { licenseId: id }),
  "license.terminate": (ctx, { id }) => terminateLicense(ctx, { licenseId: id }),
  "license by key": (ctx, { key }) => findLicenseId(ctx, { licenseKey: key }),
  "license.set_labels": (ctx, { id }) => setLicenseLabels(ctx, { licenseId: id, change: { tags: ["mine"] } }),
  "license.set_auto_renew": (ctx, { id }) => setLicenseAutoRenew(ctx, { licenseId: id, on: true }),
  "license.unsuspend": (ctx, { id }) => unsuspendLicense(ctx, { licenseId: id }),
  "operation.info": (ctx, { operationId }) => getOperation(ctx, { operationId }),
  "bundle.info": (ctx, what) => getBundleInstance(ctx, { bundleInstanceId: what.instanceId }),
  "bundle.renew": (ctx, what) => renewBundle(ctx, { bundleInstanceId: what.instanceId }),
  "bundle.change_ip": (ctx, what) => changeBundleIp(ctx, { bundleInstanceId: what.instanceId, newIp: world.freshIp() }),
  "diagnostics by key": (ctx, { key }) => getDiagnostics(ctx, { licenseKey: key }),
  "diagnostics by id": (ctx, { id }) => getDiagnostics(ctx, { licenseId: id }),
  "diagnostics by address": (ctx, what) => getDiagnostics(ctx, { ipAddress: what.ip }),
  "diagnostics by server": (ctx, what) =>
    getDiagnostics(ctx, { server: what.id === own.id ? "web1.example.com" : "nowhere.example.com" }),
  "diagnostics report": (ctx, { key, ip }) => reportDiagnostics(ctx, report(key, ip)),
};

async function answer(ask: Promise<unknown>): Promise<unknown> {
  return ask.catch(({ code, message, details }) => ({ code, message, details }));
}

/** All of the owner's rows in every table with a tenant. */
async function everythingOfOwner(): Promise<string> {
  const tables = ["licenses", "bundle_instances", "operations", "events", "diagnostics_reports", "wallets"];
  const rows = await Promise.all(
    tables.map((table) => world.db.query(sql(`select * from ${table} where reseller_id = $1 order by 1`), [owner.id])),
  );
  return JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
}

describe.each(Object.entries(questions))("%s (contract 1.12)", (_, ask) => {
  test("responds to another reseller's objects exactly as to missing ones, and changes nothing", async () => {
    const before = await everythingOfOwner();
    const ofAnother = await answer(ask(stranger.context(), own));
    const ofNothing = await answer(ask(stranger.context(), { ...nothing, key: nothingsKey }));
    expect(ofAnother).toEqual(ofNothing);
    expect(await everythingOfOwner()).toBe(before);
    expect(await stranger.wallet()).toMatchObject({ held: 0n, posted: 100_000n });
  });
});

test("lists have only the reseller's own objects", async () => {
  const page = { filter: {}, order: "oldest", after: null, limit: 100 } as const;
  expect((await listLicenses(stranger.context(), page)).rows).toEqual([]);
  expect((await listLicenses(owner.context(), page)).rows).toHaveLength(4);
  expect((await listLicenses(stranger.context(), { ...page, filter: { ipAddress: own.ip } })).rows).toEqual([]);
  expect((await listOwnBundleInstances(stranger.context(), { before: null, limit: 10 })).rows).toEqual([]);
  expect((await listWalletEntries(stranger.context(), { before: null, limit: 10 })).rows).toHaveLength(1);
});

test("another reseller's idempotency keys and operations are inaccessible", async () => {
  const ctx = stranger.context(formKey(world.db, randomUUID()));
  expect(await answer(renewLicense(ctx, { licenseId: own.id }))).toMatchObject({ code: "license_not_found" });
});

test("the actor's own key decides the reseller, not the input", async () => {
  const admin = world.context({ kind: "admin", userId: 1 as never, resellerId: stranger.id, role: "owner" });
  expect(await answer(getLicense(admin, { licenseId: own.id }))).toMatchObject({ code: "license_not_found" });
  const key = world.context({
    kind: "api_key",
    apiKeyId: 9 as ApiKeyId,
    firstKeyId: 9 as ApiKeyId,
    resellerId: owner.id,
    scopes: new Set(["licenses:read"]),
    licenseId: null,
    spendingKeyId: null,
  });
  expect(await getLicense(key, { licenseId: own.id })).toMatchObject({ id: own.id });
});
