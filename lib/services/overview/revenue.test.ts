import { afterAll, beforeAll, expect, test } from "vitest";
import { listProductRevenue } from "#lib/db/overview/revenue.ts";
import { registerBundle } from "#lib/services/bundle/register.ts";
import { renewBundle } from "#lib/services/bundle/renew.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { changeLicenseCores } from "#lib/services/license/change-core.ts";
import { changeLicenseIp } from "#lib/services/license/change-ip.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { changeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { planSteps } from "#lib/services/operation/plan.ts";
import { reconcileOperations } from "#lib/services/operation/reconcile.ts";
import { adjustWallet } from "#lib/services/wallet/adjust.ts";
import { refundCharge } from "#lib/services/wallet/refund.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { clearRehearsed, placeLicense, rehearsed } from "#tests/support/faults.ts";
import type { ResellerWorld } from "#tests/support/reseller.ts";
import { sandboxOf } from "#tests/support/sandbox.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getRevenue, listTopResellers } from "./revenue.ts";

let world: World;
const resellers: ResellerWorld[] = [];
const admin = () => world.context(actors.admin(null, "support"));

interface Entry {
  readonly resellerId: number;
  readonly kind: string;
  readonly amount: bigint;
  readonly createdAt: Date;
  readonly currency: string;
  readonly sandbox: boolean;
}

/** All entries, to be added up outside of SQL. */
async function readLedger(): Promise<Entry[]> {
  const text = `select e.reseller_id as "resellerId", e.kind::text as kind, e.amount, e.created_at as "createdAt", r.currency,
                       r.sandbox_of is not null as sandbox
                  from ledger_entries e join resellers r on r.id = e.reseller_id`;
  return world.db.query(sql<Entry & Record<string, unknown>>(text), []);
}

function addUp<Row>(rows: readonly Row[], keyOf: (row: Row) => string, amountOf: (row: Row) => bigint) {
  const sums = new Map<string, bigint>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + amountOf(row));
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).toSorted());
}

const monthOf = (time: Date) => time.toISOString().slice(0, 7);

beforeAll(async () => {
  world = await newWorld();
  world.setClock("2027-01-20T12:00:00Z");
  for (const currency of ["USD", "EUR", "USD"]) resellers.push(await world.reseller({ currency, funds: "5000" }));
  await world.db.query(
    sql("update billing_cycles set cost_currency = 'USD', cost_price = 100, cost_setup_fee = 7, cost_per_core = 3"),
    [],
  );
  for (const month of [1, 2, 3]) {
    world.setClock(`2027-0${month}-20T12:00:00Z`);
    for (const reseller of resellers) {
      const first = await reseller.register({ type: "web_server" });
      await reseller.register({ type: "control_panel" });
      await renewLicense(reseller.context(), { licenseId: first.licenseId });
      await changeLicenseCores(reseller.context(), { licenseId: first.licenseId, cores: 4 });
      await changeLicenseCores(reseller.context(), { licenseId: first.licenseId, cores: 2 });
      const operationId = first.operation.id;
      await refundCharge(reseller.admin(), { operationId, amount: "1.00", reason: "Goodwill" });
      await adjustWallet(reseller.admin(), { resellerId: reseller.id, amount: "3.00", reason: "Rounding" });
    }
  }
  const [first = expect.unreachable()] = resellers;
  const { bundleId, cycleId } = await world.bundleOffer(first.id);
  await registerBundle(first.context(), { bundleId, cycleId, ipAddress: world.freshIp() });
  await (await sandboxOf(world, first)).register();
});
afterAll(() => world.close());

const isRevenue = ({ kind, sandbox }: Entry) => ["charge", "credit", "refund"].includes(kind) && !sandbox;

test("revenue is the charges less credits and refunds of the ledger, by month and currency", async () => {
  const ledger = (await readLedger()).filter(isRevenue);
  expect(new Set(ledger.map(({ kind }) => kind))).toEqual(new Set(["charge", "credit", "refund"]));
  const { products } = await getRevenue(admin(), { resellerId: null });
  const shown = addUp(
    products,
    ({ month, currency }) => `${monthOf(month)} ${currency}`,
    ({ revenue }) => revenue,
  );
  expect(shown).toEqual(
    addUp(
      ledger,
      ({ createdAt, currency }) => `${monthOf(createdAt)} ${currency}`,
      ({ amount }) => -amount,
    ),
  );
  expect(Object.keys(shown).length).toBe(6);
});

test("a reseller's revenue is that of its own ledger, on its page and in the month's list", async () => {
  for (const { id } of resellers) {
    const own = (await readLedger()).filter((entry) => isRevenue(entry) && entry.resellerId === id);
    const { products } = await getRevenue(admin(), { resellerId: id });
    const total = products.reduce((sum, { revenue }) => sum + revenue, 0n);
    expect(total).toBe(own.reduce((sum, { amount }) => sum - amount, 0n));
    const currency = own[0]?.currency as never;
    const listed = await listTopResellers(admin(), { month: new Date("2027-02-01"), currency, limit: 10 });
    const inMonth = own.filter(({ createdAt }) => monthOf(createdAt) === "2027-02");
    expect(listed.find(({ resellerId }) => resellerId === id)?.revenue).toBe(
      inMonth.reduce((sum, { amount }) => sum - amount, 0n),
    );
  }
});

test("the cost is the provider's price at the time of the charge, and unknown in another currency", async () => {
  const usd = await world.reseller({ funds: "500" });
  const eur = await world.reseller({ currency: "EUR", funds: "500" });
  for (const reseller of [usd, eur]) {
    const { licenseId } = await reseller.register({ type: "control_panel" });
    await renewLicense(reseller.context(), { licenseId });
  }
  await world.db.query(sql("update billing_cycles set cost_price = 999"), []);
  const costOf = async ({ id }: ResellerWorld) => {
    const [row] = await listProductRevenue(world.db, { since: new Date("2027-03-01"), resellerId: id });
    return row ?? expect.unreachable();
  };
  const known = await costOf(usd);
  expect(known).toMatchObject({ cost: 207n, uncosted: 0n });
  const unknown = await costOf(eur);
  expect(unknown).toMatchObject({ cost: 0n, uncosted: unknown.revenue });
});

test("cores cost what their price was charged for, also if it changes before they settle or are credited", async () => {
  await world.db.query(sql("update billing_cycles set cost_price = 100, cost_per_core = 800"), []);
  const reseller = await world.reseller({ funds: "500" });
  const { cycleId } = await world.offer(reseller.id, "web_server");
  const setPricePerCore = (pricePerCore: string) =>
    setPrice(world.context(actors.admin(null)), {
      resellerId: reseller.id,
      currency: "USD",
      cycleId,
      price: "10",
      setupFee: "0",
      pricePerCore,
      allowBelowCost: true,
    });
  const costs = async () => (await getRevenue(admin(), { resellerId: reseller.id })).products.map(({ cost }) => cost);
  await setPricePerCore("10");
  const { licenseId } = await reseller.register({ type: "web_server" });
  const change = (cores: number) => changeLicenseCores(reseller.context(), { licenseId, cores });
  expect(await costs()).toEqual([107n]);
  expect(await change(11)).toMatchObject({ price: 10_000n });
  expect(await costs()).toEqual([8_107n]);
  await setPricePerCore("40");
  expect(await change(6)).toMatchObject({ price: -5_000n });
  expect(await costs()).toEqual([4_107n]);
  await placeLicense(world, licenseId, rehearsed.losesAnswer);
  expect(await change(7)).toMatchObject({ price: 4_000n, providerStatus: "pending" });
  await setPricePerCore("5");
  await reconcileOperations(world.operator, { early: true });
  expect(await costs()).toEqual([4_907n]);
  await clearRehearsed(world);
  await change(1);
  expect(await costs()).toEqual([107n]);
});

test("a credit returns what was booked for its cores, whatever the catalog says by then", async () => {
  const catalog = (text: string) => world.db.query(sql(`update billing_cycles set ${text}`), []);
  const costing = "cost_price = 100, cost_per_core = 800, cost_currency = 'USD'";
  for (const changed of ["cost_per_core = 1600", "cost_currency = 'EUR'", "cost_per_core = null"]) {
    await catalog(costing);
    const reseller = await world.reseller({ funds: "500" });
    const { licenseId } = await reseller.register({ type: "web_server" });
    const change = (cores: number) => changeLicenseCores(reseller.context(), { licenseId, cores });
    const figures = async () =>
      (await getRevenue(admin(), { resellerId: reseller.id })).products.map(({ cost, uncosted }) => [cost, uncosted]);
    await change(11);
    await renewLicense(reseller.context(), { licenseId });
    expect(await figures(), changed).toEqual([[107n + 8_000n + 8_100n, 0n]]);
    await catalog(changed);
    await change(6);
    expect(await figures(), changed).toEqual([[107n + 4_000n + 4_100n, 0n]]);
    await change(1);
    expect(await figures(), changed).toEqual([[207n, 0n]]);
    if (changed === "cost_currency = 'EUR'") {
      const { price } = await change(2);
      expect(await figures()).toEqual([[207n, price]]);
      await catalog(costing);
      await change(1);
      expect(await figures()).toEqual([[207n, 0n]]);
    }
  }
  await catalog(costing);
});

test("a credit returns no cost of a bundle's renewal if that had no known cost", async () => {
  await world.db.query(
    sql(`update billing_cycles set cost_currency = 'EUR'
          where product_id = (select id from products where slug = 'control_panel')`),
    [],
  );
  const reseller = await world.reseller({ funds: "500" });
  const { bundleId, cycleId } = await world.bundleOffer(reseller.id);
  const order = { bundleId, cycleId, ipAddress: world.freshIp() };
  const { instance } = await registerBundle(reseller.context(), order);
  const { id: licenseId } = instance.members.find(({ cores }) => cores !== null) ?? expect.unreachable();
  await changeLicenseCores(reseller.context(), { licenseId, cores: 11 });
  await renewBundle(reseller.context(), { bundleInstanceId: instance.id });
  await changeLicenseCores(reseller.context(), { licenseId, cores: 1 });
  const { products } = await getRevenue(admin(), { resellerId: reseller.id });
  const total = (of: "revenue" | "cost" | "uncosted") => products.reduce((sum, row) => sum + row[of], 0n);
  expect([total("cost"), total("uncosted")]).toEqual([0n, total("revenue")]);
  await world.db.query(sql("update billing_cycles set cost_currency = 'USD'"), []);
});

test("cores that are free have a cost, and return it", async () => {
  const reseller = await world.reseller({ funds: "500" });
  const { cycleId } = await world.offer(reseller.id, "web_server");
  await giveAway(reseller, cycleId, "0");
  const { licenseId } = await reseller.register({ type: "web_server" });
  const costs = async () => (await getRevenue(admin(), { resellerId: reseller.id })).products.map(({ cost }) => cost);
  for (let time = 0; time < 2; time++) {
    expect(await changeLicenseCores(reseller.context(), { licenseId, cores: 11 })).toMatchObject({ price: 0n });
    expect(await costs()).toEqual([8_107n]);
    expect(await changeLicenseCores(reseller.context(), { licenseId, cores: 1 })).toMatchObject({ price: 0n });
    expect(await costs()).toEqual([107n]);
  }
});

test("a removal returns the whole cost of its cores, also where a refund has lowered its credit", async () => {
  const reseller = await world.reseller({ funds: "500" });
  const { licenseId } = await reseller.register({ type: "web_server" });
  const change = (cores: number) => changeLicenseCores(reseller.context(), { licenseId, cores });
  const { price } = await change(11);
  const upgrade = (await reseller.operations()).at(-1)?.id ?? "";
  const half = { operationId: upgrade, amount: String(Number(price) / 200), reason: "Goodwill" };
  await refundCharge(reseller.admin(), half);
  expect((await change(1)).price).toBe(-price / 2n);
  const { products } = await getRevenue(admin(), { resellerId: reseller.id });
  expect(products.map(({ cost }) => cost)).toEqual([107n]);
});

test("what is given away has its cost, but a free change or a correction that the provider does not charge has none", async () => {
  await world.db.query(sql("update billing_cycles set cost_price = 100"), []);
  const reseller = await world.reseller({ funds: "500" });
  const { bundleId, cycleId: bundleCycle } = await world.bundleOffer(reseller.id);
  for (const type of ["web_server", "control_panel"]) {
    const { cycleId } = await world.offer(reseller.id, type);
    await giveAway(reseller, cycleId, type === "web_server" ? "0" : "");
  }
  await giveAway(reseller, bundleCycle);
  const { licenseId, operation } = await reseller.register({ type: "web_server" });
  expect(operation.price).toBe(0n);
  await changeLicenseIp(reseller.context(), { licenseId, newIp: world.freshIp() });
  await renewLicense(reseller.context(), { licenseId });
  await registerBundle(reseller.context(), { bundleId, cycleId: bundleCycle, ipAddress: world.freshIp() });
  await correct(reseller, licenseId, null);
  const figures = async () => {
    const { products } = await getRevenue(admin(), { resellerId: reseller.id });
    return products.map(({ revenue, cost, uncosted }) => [revenue, cost, uncosted]);
  };
  const members = await world.db.prisma.license.count({
    where: { resellerId: reseller.id, bundleInstanceId: { not: null } },
  });
  // 100 for a month, 7 of setup.
  const expected = [
    [0n, BigInt(members) * 107n, 0n],
    [0n, 207n, 0n],
  ];
  expect((await figures()).toSorted(([, a = 0n], [, b = 0n]) => Number(b - a))).toEqual(expected);
  await correct(reseller, licenseId, "monthly");
  expect((await figures()).flat().reduce((sum, amount) => sum + amount, 0n)).toBe(BigInt(members) * 107n + 307n);
});

const giveAway = (reseller: ResellerWorld, cycleId: number, cores = "") =>
  setPrice(world.context(actors.admin(null)), {
    resellerId: reseller.id,
    currency: "USD",
    cycleId,
    price: "0",
    setupFee: "0",
    pricePerCore: cores,
    allowBelowCost: true,
  });

/** A renewal that an admin orders at the provider; `cycle`: the provider's, if it counts its own terms. */
async function correct(reseller: ResellerWorld, licenseId: number, cycle: string | null): Promise<void> {
  await changeAtProvider(reseller.context(), reseller.id, async () => {
    const license = await reseller.license(licenseId);
    const purchase = { cycle, previousExpiresAt: license.expiresAt };
    return {
      kind: "license_correct",
      licenseId,
      lockLicenses: [license],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [{ action: "set_term", subject: license, purchase }]),
        onSuccess: { licenses: [{ key: license.key }], events: [] },
        onRejection: { licenses: [], events: [] },
        facts: {},
      }),
    };
  });
}
