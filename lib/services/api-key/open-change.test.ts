import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { anyLookUp } from "#tests/support/look-up-quota.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, PEPPER, type World } from "#tests/support/world.ts";
import { createResellerApiKey } from "./create.ts";
import { createKeyring } from "./keyring.ts";
import { setApiKeySpendingLimit } from "./set-spending-limit.ts";

let world: World;
let reseller: ResellerWorld;
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
});
afterAll(() => world.close());

async function contextOfKey(limit: string | null): Promise<ServiceContext> {
  const manager = world.context(actors.user(reseller.id));
  const { apiKey, apiKeyId } = await createResellerApiKey(manager, {
    name: "shop",
    scopes: ["licenses:write", "bundles:write"],
  });
  if (limit !== null) await setApiKeySpendingLimit(manager, { apiKeyId, limit });
  const key = await createKeyring(world.db, PEPPER).authenticate(apiKey, world.now(), anyLookUp);
  if (!key) expect.unreachable();
  return world.context({ kind: "api_key", ...key });
}

test.each([
  ["a key with a limit does not raise", "100000", 0],
  ["another key raises", null, 4],
])("%s an agreed price by a change that ends after auto-renew was switched on", async (_, limit, raised) => {
  const owner = world.context(actors.user(reseller.id));
  const { licenseId } = await reseller.register({ type: "web_server" });
  const { licenseId: renewed } = await reseller.register({ type: "web_server" });
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const newBundle = async () =>
    (await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() })).instance;
  const [whole, other] = [await newBundle(), await newBundle()];
  const member = whole.members.find(({ cores }) => cores === 1)?.id ?? expect.unreachable();
  const yearly = await world.offer(reseller.id, "web_server", 12);
  const dearer = await world.bundleOffer(reseller.id, undefined, 12);
  const agreedPrices = async () => {
    const licenses = await world.db.prisma.license.findMany({
      where: { id: { in: [licenseId, renewed] } },
      orderBy: { id: "asc" },
    });
    const bundles = await world.db.prisma.bundleInstance.findMany({
      where: { id: { in: [whole.id, other.id] } },
      orderBy: { id: "asc" },
    });
    return [...licenses, ...bundles].map(({ agreedRenewalPrice }) => agreedRenewalPrice ?? expect.unreachable());
  };
  const before = await agreedPrices();
  const provider = { ...world.provider, execute: switchOnFirst };
  async function switchOnFirst(...args: Parameters<typeof world.provider.execute>) {
    for (const id of [licenseId, renewed]) await setLicenseAutoRenew(owner, { licenseId: id, on: true });
    for (const { id } of [whole, other]) await setBundleAutoRenew(owner, { bundleInstanceId: id, on: true });
    return world.provider.execute(...args);
  }
  const changes = [
    (ctx: ServiceContext) => changeLicenseCores(ctx, { licenseId, cores: 2 }),
    (ctx: ServiceContext) => renewLicense(ctx, { licenseId: renewed, cycleId: yearly.cycleId }),
    (ctx: ServiceContext) => changeLicenseCores(ctx, { licenseId: member, cores: 2 }),
    (ctx: ServiceContext) => renewBundle(ctx, { bundleInstanceId: other.id, cycleId: dearer.cycleId }),
  ];
  const ctx = { ...(await contextOfKey(limit)), providers: new Map([[provider.name, provider]]) };
  for (const change of changes) {
    for (const id of [licenseId, renewed]) await setLicenseAutoRenew(owner, { licenseId: id, on: false });
    for (const { id } of [whole, other]) await setBundleAutoRenew(owner, { bundleInstanceId: id, on: false });
    await change(ctx);
  }
  const after = await agreedPrices();
  expect(after.filter((price, index) => price > (before[index] ?? 0n))).toHaveLength(raised);
});

test("a key with a limit agrees to no price of another cycle by a renewal that ends after auto-renew was switched on", async () => {
  const owner = world.context(actors.user(reseller.id));
  const monthly = await world.offer(reseller.id, "web_server", 1);
  const { licenseId } = await reseller.register({ type: "web_server", months: 12 });
  const agreedPrice = async () =>
    (await world.db.prisma.license.findFirstOrThrow({ where: { id: licenseId } })).agreedRenewalPrice;
  const ofYear = await agreedPrice();
  const provider = { ...world.provider, execute: switchOnFirst };
  async function switchOnFirst(...args: Parameters<typeof world.provider.execute>) {
    await setLicenseAutoRenew(owner, { licenseId, on: true });
    return world.provider.execute(...args);
  }
  const ctx = { ...(await contextOfKey("100000")), providers: new Map([[provider.name, provider]]) };
  await renewLicense(ctx, { licenseId, cycleId: monthly.cycleId });
  expect([ofYear, await agreedPrice()]).toEqual([expect.any(BigInt), null]);
});

test("of core changes that end together, those of a key with a limit raise no price of a bundle with auto-renew", async () => {
  const owner = world.context(actors.user(reseller.id));
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  await setBundleAutoRenew(owner, { bundleInstanceId: instance.id, on: true });
  const [one, other] = instance.members;
  if (!(one && other)) expect.unreachable();
  const agreedPrice = async () =>
    (await world.db.prisma.bundleInstance.findFirstOrThrow({ where: { id: instance.id } })).agreedRenewalPrice ?? 0n;
  const settled = (key: string, limited: boolean, change: object) => ({
    id: randomUUID(),
    reseller_id: reseller.id,
    now: world.now(),
    limited,
    references: {},
    effects: { licenses: [{ key, ...change }] },
  });
  const raisedTogether = async (unlimited: object, limited: object) => {
    const list = [settled(one.key, false, unlimited), settled(other.key, true, limited)];
    await world.db.query(sql("select apply_effects($1::jsonb)"), [JSON.stringify(list)]);
    return agreedPrice();
  };
  const before = await agreedPrice();
  expect(await raisedTogether({ renewalPriceChange: 400 }, { renewalPriceChange: 300 })).toBe(before + 400n);
  expect(await raisedTogether({ renewalPriceChange: -100, renewalPriceCap: 700 }, { renewalPriceChange: 300 })).toBe(
    700n,
  );
});
