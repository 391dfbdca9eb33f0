import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { sql } from "#tests/sql.ts";
import { codeOf } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { newWorld, type World } from "#tests/support/world.ts";

let world: World;
let reseller: ResellerWorld;
/** Shown to the operator. */
let problems: string[];
beforeAll(async () => {
  world = await newWorld();
});
beforeEach(async () => {
  reseller = await world.reseller();
  problems = [];
});
afterAll(() => world.close());

const contextWith = (change: Partial<LicenseProvider>) => ({
  ...reseller.context(),
  providers: new Map([
    [
      world.provider.name,
      { ...world.provider, reportProblem: (message: string) => void problems.push(message), ...change },
    ],
  ]),
});

/** Performance Server, with three members. */
async function registerWith(change: Partial<LicenseProvider>) {
  const ipAddress = world.freshIp();
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const code = await codeOf(registerBundle(contextWith(change), { bundleId, cycleId, ipAddress }));
  const books = (await world.books()).filter((entry) => entry.ipAddress === ipAddress);
  expect(await reseller.wallet()).toMatchObject({ held: 0n, posted: 100_000n });
  return { code, states: books.map(({ state }) => state) };
}

/** Carries out all but the bundle's last member. */
const failsLast = (outcome: ProviderOutcome): Partial<LicenseProvider> => ({
  execute: async (request, maySend) =>
    request.bundle?.position === 2 ? outcome : world.provider.execute(request, maySend),
});

test.each([
  [{ kind: "rejected", message: "No." }, "registration_rejected"],
  [{ kind: "not_sent", message: "Away." }, "provider_unavailable"],
] as const)("a bundle that the provider would not sell whole is not bought in part: %o", async (outcome, code) => {
  const asked: number[] = [];
  const check = async (purchases: readonly unknown[]) => {
    asked.push(purchases.length);
    return outcome;
  };
  expect(await registerWith({ check })).toEqual({ code, states: [] });
  expect(asked).toEqual([3]);
});

test("a single purchase is not checked before", async () => {
  const check = () => Promise.reject(new Error("asked"));
  const { productId, cycleId } = await world.offer(reseller.id, "backup_agent");
  await registerLicense(contextWith({ check }), { productId, cycleId, ipAddress: world.freshIp() });
});

test.each<ProviderOutcome>([
  { kind: "rejected", message: "No." },
  { kind: "not_sent", message: "Too many requests." },
])(
  "what was bought before a member failed is reverted and shown to the operator; the answer is a rejection: %o",
  async (outcome) => {
    const { code, states } = await registerWith(failsLast(outcome));
    expect([code, states]).toEqual(["registration_rejected", ["terminated", "terminated"]]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain("Bought and reverted");
  },
);

test.each<[ProviderOutcome, number]>([
  [{ kind: "rejected", message: "Taken.", refusesAddress: true }, 1],
  [{ kind: "rejected", message: "No." }, 0],
  [{ kind: "not_sent", message: "Too many requests.", accountProblem: "RATE_LIMITED" }, 1],
])("a reverted bundle is an address lookup if its answer may hide a taken address: %o", async (outcome, count) => {
  await registerWith(failsLast(outcome));
  const lookups = await world.db.query(
    sql<{ count: number }>("select count from address_lookups where reseller_id = $1"),
    [reseller.id],
  );
  expect(lookups.map((row) => row.count)).toEqual(count === 0 ? [] : [count]);
});

test("a purchase that costs other than at the last import is shown to the operator and done", async () => {
  const { productId, cycleId } = await world.offer(reseller.id, "web_server");
  const cost = { costCurrency: "USD", costPrice: 1_000n, costSetupFee: 200n, costPerCore: 300n };
  await world.db.prisma.billingCycle.update({ where: { id: cycleId }, data: { providerCycle: "7", ...cost } });
  let charged = { price: "12", currency: "USD" };
  const ctx = contextWith({
    execute: async (request, maySend) => ({ ...(await world.provider.execute(request, maySend)), charged }),
  });
  const { licenseId } = await registerLicense(ctx, { productId, cycleId, ipAddress: world.freshIp() });
  expect(problems).toEqual([]);
  charged = { price: "12.5", currency: "USD" };
  await renewLicense(ctx, { licenseId });
  const imported = "at the last import it was 10.00 USD. Import its prices again.";
  expect(problems).toEqual([`Charges 12.5 USD for web_server; ${imported}`]);
  charged = { price: "10", currency: "EUR" };
  await renewLicense(ctx, { licenseId });
  expect(problems[1]).toBe(`Charges 10 EUR for web_server; ${imported}`);
});
