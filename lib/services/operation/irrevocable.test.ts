import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { sql } from "#tests/sql.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { reconcileOperations } from "./reconcile.ts";

const MINUTES = 60_000;
const RENEWED = "2027-05-10T12:00:00.000Z";

let world: World;
let reseller: ResellerWorld;
/** The provider's answer to the last member's renewal instead of doing it. */
let failure: ProviderOutcome | null;
let sent: ProviderRequest[];
/** The provider stores its rejections, and repeats them. */
let stores: boolean;
let stored: Map<string, ProviderOutcome>;
let problems: string[];
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
  sent = [];
  stores = false;
  stored = new Map();
  problems = [];
});
afterAll(() => world.close());

/** Reverts no renewal, like the dispatch interface. */
function neverReverts<Context extends ServiceContext>(ctx: Context, minutesLater = 0): Context {
  const refusalOf: LicenseProvider["refusalOf"] = ({ action, previousExpiresAt }) =>
    action === "set_term" && previousExpiresAt === null ? "The provider does not revert renewals." : null;
  const execute: LicenseProvider["execute"] = async (request, maySend) => {
    sent.push(request);
    const refusal = refusalOf(request);
    if (refusal !== null) return { kind: "rejected", message: refusal };
    if (request.bundle?.position !== 2) return world.provider.execute(request, maySend);
    const known = stored.get(request.idempotencyKey);
    if (known) return known;
    if (stores && failure?.kind === "rejected") stored.set(request.idempotencyKey, { ...failure, isReplayed: true });
    return (
      failure ?? { ...(await world.provider.execute(request, maySend)), charged: { price: "12.5", currency: "USD" } }
    );
  };
  const now = () => new Date(world.now().getTime() + minutesLater * MINUTES);
  const reportProblem = (problem: string) => void problems.push(problem);
  const provider = { ...world.provider, refusalOf, execute, reportProblem };
  return { ...ctx, now, providers: new Map([[provider.name, provider]]) };
}

/** Returns the bundle's members. */
async function renewInPart() {
  const offer = await world.bundleOffer(reseller.id);
  const { instance } = await registerBundle(reseller.context(), { ...offer, ipAddress: world.freshIp() });
  const { pending } = await renewBundle(neverReverts(reseller.context()), { bundleInstanceId: instance.id });
  expect(pending).toBe(true);
  return instance.members;
}

const lastMemberKeys = () =>
  sent.filter(({ bundle }) => bundle?.position === 2).map(({ idempotencyKey }) => idempotencyKey);

const reconcile = (minutesLater: number) =>
  reconcileOperations(neverReverts(world.operator, minutesLater), { early: true });

test.each<ProviderOutcome>([
  { kind: "not_sent", message: "Too many requests." },
  { kind: "rejected", message: "Not today." },
  { kind: "unknown", message: "No answer." },
])("a renewal that cannot be reverted is completed once the provider takes the rest of it: %o", async (outcome) => {
  failure = outcome;
  const members = await renewInPart();
  const { held, posted } = await reseller.wallet();
  expect(await reconcile(21)).toMatchObject({ asked: 1, stillOpen: 1 });
  failure = null;
  expect(await reconcile(21)).toMatchObject({ asked: 1, succeeded: 1 });
  expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: posted - held });
  const [first, ...again] = lastMemberKeys();
  expect(again).toEqual([first, first]);
  for (const { id } of members) expect((await reseller.license(id)).expiresAt.toISOString()).toBe(RENEWED);
  expect(await reseller.difference()).toBeNull();
});

test("a rest whose rejection the provider repeats is renewed under another key, once", async () => {
  stores = true;
  failure = { kind: "rejected", message: "Not today." };
  const members = await renewInPart();
  failure = null;
  expect(await reconcile(11)).toMatchObject({ asked: 1, stillOpen: 1 });
  expect(await reconcile(21)).toMatchObject({ asked: 1, succeeded: 1 });
  const [first] = lastMemberKeys();
  expect(lastMemberKeys()).toEqual([first, first, first, `${first}:2`]);
  for (const { id } of members) expect((await reseller.license(id)).expiresAt.toISOString()).toBe(RENEWED);
  expect(await reseller.difference()).toBeNull();
});

test("no other key is sent when the provider may forget the rejection of the first: both would be renewals", async () => {
  stores = true;
  failure = { kind: "rejected", message: "Not today." };
  await renewInPart();
  failure = null;
  expect(await reconcile(23 * 60)).toMatchObject({ asked: 1, stillOpen: 1 });
  expect(new Set(lastMemberKeys()).size).toBe(1);
});

test("what is bought later at another cost than at the last import is shown to the operator", async () => {
  const cost = "cost_currency = 'USD', cost_price = 1000, cost_setup_fee = 0, cost_per_core = 0";
  await world.db.query(sql(`update billing_cycles set provider_cycle = id::text, ${cost}`), []);
  failure = { kind: "unknown", message: "No answer." };
  await renewInPart();
  failure = null;
  await reconcile(11);
  expect(problems).toEqual([
    expect.stringMatching(/^Charges 12\.5 USD for .*; at the last import it was 10\.00 USD\./),
  ]);
});

test("a rest that the operator renews at the provider ends the operation, and is not bought again", async () => {
  failure = { kind: "rejected", message: "Not today." };
  await renewInPart();
  const ctx = neverReverts(world.operator, 11);
  const provider = (await ctx.providers.get(world.provider.name)) ?? expect.unreachable();
  const lookUp: LicenseProvider["lookUp"] = async (request, options) =>
    request.bundle?.position === 2 ? { kind: "succeeded" } : provider.lookUp(request, options);
  const providers = new Map([[provider.name, { ...provider, lookUp }]]);
  expect(await reconcileOperations({ ...ctx, providers }, { early: true })).toMatchObject({ asked: 1, succeeded: 1 });
  expect(lastMemberKeys()).toHaveLength(1);
});

test("nothing is sent again while the first request may still arrive", async () => {
  failure = { kind: "unknown", message: "No answer." };
  await renewInPart();
  failure = null;
  expect(await reconcile(9)).toMatchObject({ asked: 1, stillOpen: 1 });
  expect(lastMemberKeys()).toHaveLength(1);
});

test("nothing more is bought for a renewal of which another member was rejected", async () => {
  failure = { kind: "not_sent", message: "Too many requests." };
  await renewInPart();
  failure = null;
  const ctx = neverReverts(world.operator, 11);
  const provider = (await ctx.providers.get(world.provider.name)) ?? expect.unreachable();
  const lookUp: LicenseProvider["lookUp"] = async (request, options) =>
    request.bundle?.position === 0 ? { kind: "rejected", message: "It has ended." } : provider.lookUp(request, options);
  const providers = new Map([[provider.name, { ...provider, lookUp }]]);
  expect(await reconcileOperations({ ...ctx, providers }, { early: true })).toMatchObject({ succeeded: 0 });
  expect(lastMemberKeys()).toHaveLength(1);
});
