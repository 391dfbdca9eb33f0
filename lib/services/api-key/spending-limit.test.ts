import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "#lib/db/connection/client.ts";
import { holdOperation } from "#lib/db/operation/hold.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import type { ResellerRole } from "#lib/domain/roles.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { previewCharge } from "#lib/services/operation/preview-charge.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { holdOf } from "#tests/support/holds.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./create.ts";
import { getApiKey } from "./get.ts";
import { createKeyring } from "./keyring.ts";
import { listApiKeys } from "./list.ts";
import { rotateApiKey } from "./rotate.ts";
import { setApiKeySpendingLimit } from "./set-spending-limit.ts";

/** Of a month of the control panel, in USD. */
const PRICE = 14.5;
let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    ({ code }) => code,
  );
const manager = () => world.context(actors.user(reseller.id));
const setLimit = (apiKeyId: ApiKeyId, limit: string) => setApiKeySpendingLimit(manager(), { apiKeyId, limit });
const spentBy = async (apiKeyId: ApiKeyId) => (await getApiKey(manager(), { apiKeyId })).spent;

async function newKey(limit: string | null, scopes: readonly Scope[] = ["licenses:write"]) {
  const created = await createResellerApiKey(manager(), { name: "shop", scopes });
  if (limit !== null) await setLimit(created.apiKeyId, limit);
  return created;
}

/** The context of a request with the key, as the API makes it. */
async function contextOf(apiKey: string, db: Database = world.db): Promise<ServiceContext> {
  const key = await createKeyring(db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
  if (!key) expect.unreachable();
  return { ...world.context({ kind: "api_key", ...key }), db };
}

async function buy(ctx: ServiceContext, ip: string = world.freshIp()) {
  const { productId, cycleId } = await world.offer(reseller.id, "control_panel");
  return registerLicense(ctx, { productId, cycleId, ipAddress: ip as never });
}

test("a key spends up to its limit in a month, exactly, whatever comes at once; other keys are not concerned", async () => {
  const { apiKey, apiKeyId } = await newKey(String(3 * PRICE));
  const other = await newKey(null);
  const ctx = await contextOf(apiKey);
  const codes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(buy(ctx))));
  expect(codes.filter((code) => code === "done")).toHaveLength(3);
  expect(codes.filter((code) => code === "spending_limit_reached")).toHaveLength(5);
  expect(await spentBy(apiKeyId)).toBe(4350n);
  expect(await reseller.operations()).toHaveLength(3);
  expect(await reseller.wallet()).toMatchObject({ held: 0n });
  expect(await outcomeOf(buy(await contextOf(other.apiKey)))).toBe("done");
  await expect(buy(ctx)).rejects.toThrow(
    "This API key may spend $43.50 a month and has spent $43.50: $14.50 more is beyond its limit. Raise the limit, or wait for the next month (UTC).",
  );
});

test("a month ends with its last day, UTC, also in a session of another time zone", async () => {
  world.setClock("2027-05-31T12:00:00Z");
  const { apiKey } = await newKey(String(PRICE));
  const db = openDatabase({ url: world.url, poolSize: 1 });
  await db.query(sql("set timezone = 'America/New_York'"), []);
  try {
    const ctx = await contextOf(apiKey, db);
    expect(await outcomeOf(buy(ctx))).toBe("done");
    expect(await outcomeOf(buy(ctx))).toBe("spending_limit_reached");
  } finally {
    await db.close();
  }
});

test("a new month begins at its first second, UTC", async () => {
  world.setClock("2027-05-31T23:59:59.999Z");
  const ctx = await contextOf((await newKey(String(PRICE))).apiKey);
  const { licenseId } = await buy(ctx);
  expect(await outcomeOf(renewLicense(ctx, { licenseId }))).toBe("spending_limit_reached");
  world.setClock("2027-06-01T00:00:00Z");
  expect(await outcomeOf(renewLicense(ctx, { licenseId }))).toBe("done");
  expect(await outcomeOf(renewLicense(ctx, { licenseId }))).toBe("spending_limit_reached");
});

test("what is held counts, and what is refused does not", async () => {
  const { apiKey, apiKeyId } = await newKey(String(PRICE));
  const ctx = await contextOf(apiKey);
  expect(await outcomeOf(buy(ctx, "192.0.2.10"))).toBe("registration_rejected");
  const silent: LicenseProvider["execute"] = async () => ({ kind: "unknown", message: "No answer." });
  const providers = new Map([[world.provider.name, { ...world.provider, execute: silent }]]);
  expect(await buy({ ...ctx, providers })).toMatchObject({ pending: true });
  expect(await outcomeOf(buy(ctx))).toBe("spending_limit_reached");
  await reconcileOperations(world.operator, { early: true });
  expect(await spentBy(apiKeyId)).toBe(0n);
  expect(await outcomeOf(buy(ctx))).toBe("done");
});

test("a limit counts what the key spent in the month before it was set, and not what another one did", async () => {
  world.setClock("2027-06-01T00:00:00Z");
  const { apiKey, apiKeyId } = await newKey(null);
  const other = await newKey(null);
  for (const one of [apiKey, other.apiKey]) await buy(await contextOf(one));
  world.setClock("2027-06-30T00:00:00Z");
  await setLimit(apiKeyId, String(PRICE));
  expect(await spentBy(apiKeyId)).toBe(1450n);
  expect(await outcomeOf(buy(await contextOf(apiKey)))).toBe("spending_limit_reached");
  await setLimit(apiKeyId, "");
  expect(await outcomeOf(buy(await contextOf(apiKey)))).toBe("done");
  await setLimit(apiKeyId, String(3 * PRICE));
  expect(await spentBy(apiKeyId)).toBe(2900n);
});

test("a charge of a request that begins before the limit is set counts", async () => {
  const { apiKey, apiKeyId } = await newKey(null);
  const ctx = await contextOf(apiKey);
  await setLimit(apiKeyId, String(PRICE));
  expect(await outcomeOf(buy(ctx))).toBe("done");
  expect(await spentBy(apiKeyId)).toBe(1450n);
  expect(await outcomeOf(buy(ctx))).toBe("spending_limit_reached");
});

test("a charge counts whose hold is in progress while the limit is set", async () => {
  const { apiKeyId } = await newKey(null);
  const transaction = await world.db.begin();
  const change = { actor: `key:${apiKeyId}` };
  await holdOperation(transaction, holdOf({ resellerId: reseller.id, price: 1_450n, now: world.now(), change }));
  const limited = setLimit(apiKeyId, String(PRICE));
  await Promise.race([limited, setTimeout(200)]);
  await transaction.commit();
  await limited;
  expect(await spentBy(apiKeyId)).toBe(1450n);
});

test("a rotated key and its successors share one limit", async () => {
  const first = await newKey(String(2 * PRICE));
  await buy(await contextOf(first.apiKey));
  const second = await rotateApiKey(manager(), { apiKeyId: first.apiKeyId });
  const third = await rotateApiKey(manager(), { apiKeyId: second.apiKeyId });
  await buy(await contextOf(third.apiKey));
  for (const { apiKey } of [first, second, third]) {
    expect(await outcomeOf(buy(await contextOf(apiKey)))).toBe("spending_limit_reached");
  }
  expect(await spentBy(third.apiKeyId)).toBe(2900n);
});

test("a limit that is set on any key of a rotation is the limit of all, and counts what all have spent", async () => {
  const first = await newKey(null);
  await buy(await contextOf(first.apiKey));
  const second = await rotateApiKey(manager(), { apiKeyId: first.apiKeyId });
  for (const { apiKeyId } of [second, first]) {
    for (const limit of ["0", String(PRICE)]) {
      await setLimit(apiKeyId, limit);
      for (const key of [first, second]) {
        expect(await outcomeOf(buy(await contextOf(key.apiKey)))).toBe("spending_limit_reached");
        expect(await spentBy(key.apiKeyId)).toBe(1450n);
      }
    }
    await setLimit(apiKeyId, "");
  }
  expect(await outcomeOf(buy(await contextOf(first.apiKey)))).toBe("done");
});

test("a key with a limit cannot make later terms charge: auto-renew and its price are refused", async () => {
  const { licenseId } = await reseller.register();
  const { bundleId, cycleId: bundleCycle } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), {
    bundleId,
    cycleId: bundleCycle,
    ipAddress: world.freshIp(),
  });
  const contextWith = async (limit: string | null) =>
    contextOf((await newKey(limit, ["licenses:write", "bundles:write"])).apiKey);
  const [free, limited] = [await contextWith(null), await contextWith("1000")];
  const { productId, cycleId, cycle } = await world.offer(reseller.id, "control_panel");
  const changes = [
    (ctx: ServiceContext) => setLicenseAutoRenew(ctx, { licenseId, on: true }),
    (ctx: ServiceContext) => setLicenseAutoRenew(ctx, { licenseId, on: false, agreedPrice: cycle.price }),
    (ctx: ServiceContext) => setBundleAutoRenew(ctx, { bundleInstanceId: instance.id, on: true }),
    (ctx: ServiceContext) => registerLicense(ctx, { productId, cycleId, ipAddress: world.freshIp(), autoRenew: true }),
    (ctx: ServiceContext) =>
      registerBundle(ctx, { bundleId, cycleId: bundleCycle, ipAddress: world.freshIp(), autoRenew: true }),
  ];
  for (const change of changes) {
    expect(await outcomeOf(change(limited))).toBe("spending_limit_reached");
    expect(await outcomeOf(change(free))).toBe("done");
  }
  expect(await outcomeOf(setLicenseAutoRenew(limited, { licenseId, on: false }))).toBe("done");
});

test("a key with a limit cannot make auto-renew charge more, by any change of a license, a bundle or its member", async () => {
  const owner = world.context(actors.user(reseller.id));
  const { licenseId } = await reseller.register({ type: "web_server" });
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const sold = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  const bundleInstanceId = sold.instance.id;
  const member = sold.instance.members.find(({ cores }) => cores === 1)?.id ?? expect.unreachable();
  const [license, other] = await Promise.all([1, 12].map((months) => world.offer(reseller.id, "web_server", months)));
  const dearer = await world.bundleOffer(reseller.id, undefined, 12);
  const setAutoRenew = async (on: boolean) => {
    await setLicenseAutoRenew(owner, { licenseId, on });
    await setBundleAutoRenew(owner, { bundleInstanceId, on });
  };
  const agreedPrices = async () => {
    const [one, whole] = await Promise.all([
      world.db.prisma.license.findFirstOrThrow({ where: { id: licenseId } }),
      world.db.prisma.bundleInstance.findFirstOrThrow({ where: { id: bundleInstanceId } }),
    ]);
    return [one.cycleId, one.agreedRenewalPrice, whole.cycleId, whole.agreedRenewalPrice];
  };
  const changes = [
    (ctx: ServiceContext, agreedPrice?: bigint) => changeLicenseCores(ctx, { licenseId, cores: 2, agreedPrice }),
    (ctx: ServiceContext, agreedPrice?: bigint) =>
      changeLicenseCores(ctx, { licenseId: member, cores: 2, agreedPrice }),
    (ctx: ServiceContext, agreedPrice?: bigint) =>
      renewLicense(ctx, { licenseId, cycleId: other?.cycleId, agreedPrice }),
    (ctx: ServiceContext, agreedPrice?: bigint) =>
      renewBundle(ctx, { bundleInstanceId, cycleId: dearer.cycleId, agreedPrice }),
    (ctx: ServiceContext, agreedPrice?: bigint) =>
      renewLicense(ctx, { licenseId, cycleId: license?.cycleId, agreedPrice }),
    (ctx: ServiceContext, agreedPrice?: bigint) => renewBundle(ctx, { bundleInstanceId, cycleId, agreedPrice }),
  ];
  const limited = await contextOf((await newKey("100000", ["licenses:write", "bundles:write"])).apiKey);
  await setAutoRenew(true);
  const before = await agreedPrices();
  for (const change of changes.slice(0, 4)) {
    expect(await outcomeOf(change(limited))).toBe("spending_limit_reached");
    expect(await outcomeOf(previewCharge(limited, change))).toBe("spending_limit_reached");
    // The agreed price comes first (contract 1.3).
    expect(await outcomeOf(change(limited, 1n))).toBe("price_changed");
  }
  // At the agreed price.
  expect(await outcomeOf(renewLicense(limited, { licenseId }))).toBe("done");
  expect(await outcomeOf(renewBundle(limited, { bundleInstanceId }))).toBe("done");
  expect(await agreedPrices()).toEqual(before);
  await setAutoRenew(false);
  for (const change of changes.slice(0, 4)) expect(await outcomeOf(change(limited))).toBe("done");
  await setAutoRenew(true);
  // A shorter cycle costs less at a time, and more in a year.
  for (const change of changes.slice(4)) expect(await outcomeOf(change(limited))).toBe("spending_limit_reached");
  expect(await outcomeOf(changeLicenseCores(limited, { licenseId, cores: 1 }))).toBe("done");
});

test.each(["-1", "1.005", "much", "1e3"])("%s is no limit", async (limit) => {
  const { apiKeyId } = await newKey(null);
  expect(await codeOf(setLimit(apiKeyId, limit))).toBe("parameters_invalid");
  expect((await getApiKey(manager(), { apiKeyId })).spendingLimit).toBeNull();
});

test("a limit of 0 refuses every charge", async () => {
  const { apiKey, apiKeyId } = await newKey("0");
  expect(await outcomeOf(buy(await contextOf(apiKey)))).toBe("spending_limit_reached");
  expect(await spentBy(apiKeyId)).toBe(0n);
});

test("what a key has spent is read only by roles that see the wallet", async () => {
  const { apiKeyId } = await newKey("5");
  const spentFor = async (role: ResellerRole) => {
    const ctx = world.context(actors.user(reseller.id, role));
    const { rows } = await listApiKeys(ctx);
    return [(await getApiKey(ctx, { apiKeyId })).spent, rows.find((key) => key.apiKeyId === apiKeyId)?.spent];
  };
  for (const role of ["finance", "viewer"] as const) expect(await spentFor(role)).toEqual([0n, 0n]);
  for (const role of ["support", "developer"] as const) expect(await spentFor(role)).toEqual([null, null]);
});

test("another reseller's key is not found", async () => {
  const { apiKeyId } = await newKey("5");
  const stranger = world.context(actors.user((await world.reseller()).id));
  expect(await codeOf(setApiKeySpendingLimit(stranger, { apiKeyId, limit: "" }))).toBe("not_found");
  expect((await getApiKey(manager(), { apiKeyId })).spendingLimit).toBe(500n);
});
