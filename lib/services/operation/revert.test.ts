import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { changeBundleIp } from "#lib/services/bundle/change-ip.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { reconcileOperations } from "./reconcile.ts";

const MINUTES = 60_000;
const rejected: ProviderOutcome = { kind: "rejected", message: "Not today." };

let world: World;
let reseller: ResellerWorld;
/** The provider's answer to a new request to revert a step, instead of doing it. */
let refusal: ProviderOutcome | null;
/** Its answers by idempotency key, which it repeats. */
let stored: Map<string, ProviderOutcome>;
let reverts: ProviderRequest[];
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
  refusal = null;
  stored = new Map();
  reverts = [];
});
afterAll(() => world.close());

/** Rejects each bundle's last member, and reverts the others as `refusal` says. */
function rejectsLast<Context extends ServiceContext>(ctx: Context, minutesLater = 0): Context {
  const execute: LicenseProvider["execute"] = async (request, maySend) => {
    if (request.bundle?.position === 2) return rejected;
    if (request.bundle) return world.provider.execute(request, maySend);
    reverts.push(request);
    const known = stored.get(request.idempotencyKey) ?? refusal;
    if (known === null) return world.provider.execute(request, maySend);
    if (known.kind === "rejected") stored.set(request.idempotencyKey, known);
    return known;
  };
  const lookUp: LicenseProvider["lookUp"] = async (request, options) =>
    request.bundle?.position === 2 ? { kind: "rejected", message: "No." } : world.provider.lookUp(request, options);
  const provider = { ...world.provider, execute, lookUp };
  const now = () => new Date(world.now().getTime() + minutesLater * MINUTES);
  return { ...ctx, now, providers: new Map([[provider.name, provider]]) };
}

const reconcile = (minutesLater: number) =>
  reconcileOperations(rejectsLast(world.operator, minutesLater), { early: true });

async function moveBundle() {
  const offer = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { ...offer, ipAddress: world.freshIp() });
  await changeBundleIp(rejectsLast(reseller.context()), { bundleInstanceId: instance.id, newIp: world.freshIp() });
  return instance.ipAddress;
}

async function buyBundle() {
  const offer = await world.bundleOffer(reseller.id);
  await registerBundle(rejectsLast(reseller.context()), { ...offer, ipAddress: world.freshIp() });
}

test.each([
  ["move", moveBundle],
  ["registration", buyBundle],
])("a %s whose revert was rejected ends once the provider accepts it, whatever it repeats", async (_, begin) => {
  refusal = rejected;
  await begin();
  expect(await reconcile(1)).toMatchObject({ asked: 1, stillOpen: 1 });
  refusal = null;
  expect(await reconcile(2)).toMatchObject({ asked: 1, stillOpen: 1 });
  expect(await reconcile(21)).toMatchObject({ asked: 1, rejected: 1 });
  expect(await reseller.wallet()).toMatchObject({ held: 0n, pendingCount: 0 });
  expect(await reseller.difference()).toBeNull();
});

test("a bundle is back on its address after a move whose revert was rejected at first", async () => {
  refusal = rejected;
  const address = await moveBundle();
  refusal = null;
  await reconcile(1);
  const members = (await world.books()).filter(({ ipAddress }) => ipAddress === address);
  expect(members.map(({ state }) => state)).toEqual(["active", "active", "active"]);
});

test("a revert without an answer is sent under the same key until it has one: a late one would move an address", async () => {
  refusal = { kind: "unknown", message: "No answer." };
  await moveBundle();
  await reconcile(1);
  await reconcile(21);
  expect(new Set(reverts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test("a rejected revert that the provider's state shows to be done is done", async () => {
  refusal = rejected;
  const offer = await world.bundleOffer(reseller.id);
  const ctx = rejectsLast(reseller.context());
  const provider = (await ctx.providers.get(world.provider.name)) ?? expect.unreachable();
  const lookUp: LicenseProvider["lookUp"] = async () => ({ kind: "succeeded" });
  const providers = new Map([[provider.name, { ...provider, lookUp }]]);
  const bought = registerBundle({ ...ctx, providers }, { ...offer, ipAddress: world.freshIp() });
  expect(await codeOf(bought)).toBe("registration_rejected");
});
