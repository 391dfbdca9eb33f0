import { afterAll, beforeAll, expect, test } from "vitest";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import type { DomainError } from "#lib/domain/errors.ts";
import { listAuditLog } from "#lib/services/audit/list.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { actors } from "#tests/support/actors.ts";
import { formKey } from "#tests/support/claims.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createCycle } from "./create-cycle.ts";
import { createProduct } from "./create-product.ts";
import { getCatalogProduct } from "./get-product.ts";
import { listResellerPrices } from "./list-reseller-prices.ts";
import { type PriceChange, savePrices } from "./save-prices.ts";

let world: World;
let admin: ServiceContext;
beforeAll(async () => {
  world = await newWorld();
  admin = world.context(actors.admin(null));
});
afterAll(() => world.close());

let count = 0;
/** A monthly and a yearly cycle at $10 and $100, the monthly one at a cost of $8. */
async function onSale() {
  count += 1;
  const slug = `grid_${count}`;
  const product = { slug, name: slug, description: "", coreMetered: false, workers: 0 };
  const { productId } = await createProduct(admin, { ...product, provider: "sandbox", providerSku: slug });
  const cycle = { owner: { productId }, providerCycle: null, currency: "USD", setupFee: "", pricePerCore: null };
  const monthly = (await createCycle(admin, { ...cycle, name: "Monthly", months: 1, price: "10" })).cycleId;
  const yearly = (await createCycle(admin, { ...cycle, name: "Yearly", months: 12, price: "100" })).cycleId;
  const data = { costCurrency: "USD", costPrice: 800n, costSetupFee: 0n };
  await world.db.prisma.billingCycle.update({ where: { id: monthly }, data });
  return { productId, monthly, yearly };
}

async function pricesOf(productId: number) {
  const { cycles } = await getCatalogProduct(admin, { productId });
  return cycles.flatMap(({ prices }) => prices.map(({ currency, price }) => `${currency} ${price}`));
}

async function changeOf(productId: number, cycleId: number, currency: string, price: string): Promise<PriceChange> {
  const { cycles } = await getCatalogProduct(admin, { productId });
  const stored = cycles.find(({ id }) => id === cycleId)?.prices.find((one) => one.currency === currency);
  return { cycleId, currency, price, setupFee: "", pricePerCore: null, seenVersion: stored?.version ?? "" };
}

const save = (changes: readonly PriceChange[], allowBelowCost = false) =>
  savePrices(admin, { resellerId: null, changes, allowBelowCost });
const refusalOf = (saved: Promise<void>) =>
  saved.then(
    () => null,
    ({ code, details }: DomainError) => ({ code, details }),
  );

test("prices of a grid are set, added and removed together, with an audit entry each", async () => {
  const { productId, monthly, yearly } = await onSale();
  await save([
    await changeOf(productId, monthly, "USD", "11"),
    await changeOf(productId, monthly, "JPY", "1500"),
    await changeOf(productId, yearly, "USD", ""),
  ]);
  expect(await pricesOf(productId)).toEqual(["JPY 1500", "USD 1100"]);
  const filter = { subject: `product:${productId}` };
  const { rows: entries } = await listAuditLog(admin, { filter, before: null, limit: 50 });
  const made = entries.filter(({ action }) => /_price$/.test(action)).map(({ action }) => action);
  expect(made.toSorted()).toEqual(["catalog.remove_price", "catalog.set_price", "catalog.set_price"]);
});

test.each(["on its own", "as a form"])("one bad cell is named, and nothing is saved (%s)", async (how) => {
  const { productId, monthly, yearly } = await onSale();
  const changes = [
    await changeOf(productId, monthly, "JPY", "1500"),
    await changeOf(productId, yearly, "USD", "abc"),
    await changeOf(productId, yearly, "XXX", "1"),
  ];
  const pending = createPendingWrites(world.db);
  const { claim } = formKey(world.db, `prices ${productId}`);
  const form = { ...admin, db: pending.reads, claim: { ...claim, pending } };
  const grid = { resellerId: null, changes, allowBelowCost: false };
  const refusal = await refusalOf(savePrices(how === "as a form" ? form : admin, grid));
  expect(pending.hasBegun(), "the form's own transaction, which ends with its answer").toBe(how === "as a form");
  await pending.rollback();
  expect(refusal).toMatchObject({
    code: "parameters_invalid",
    details: { [`${yearly}.USD.price`]: expect.stringContaining("must be an amount of USD") },
  });
  expect(Object.keys(refusal?.details ?? {})).toEqual([`${yearly}.USD.price`, `${yearly}.XXX.currency`]);
  expect(await pricesOf(productId)).toEqual(["USD 1000", "USD 10000"]);
});

test("a price below cost is refused with its cell, the percentage and the cost, unless it is meant", async () => {
  const { productId, monthly } = await onSale();
  const changes = [await changeOf(productId, monthly, "USD", "6")];
  expect(await refusalOf(save(changes))).toEqual({
    code: "parameters_invalid",
    details: { [`${monthly}.USD.price`]: "Monthly in USD: $6.00 is 25% below the cost of $8.00." },
  });
  await save(changes, true);
  expect(await pricesOf(productId)).toEqual(["USD 600", "USD 10000"]);
});

test("of two grids the second saves nothing, and its error names the cells that changed", async () => {
  const { productId, monthly, yearly } = await onSale();
  const mine = [await changeOf(productId, monthly, "USD", "12"), await changeOf(productId, yearly, "USD", "120")];
  const theirs = [await changeOf(productId, yearly, "USD", "90"), await changeOf(productId, monthly, "USD", "9")];
  const outcomes = await Promise.all([refusalOf(save(mine)), refusalOf(save(theirs))]);
  const refused = outcomes.filter((outcome) => outcome !== null);
  expect(refused).toMatchObject([{ code: "changed_meanwhile" }]);
  expect(Object.keys(refused[0]?.details ?? {})).toEqual([`${monthly}.USD.price`, `${yearly}.USD.price`]);
  expect([
    ["USD 1200", "USD 12000"],
    ["USD 900", "USD 9000"],
  ]).toContainEqual(await pricesOf(productId));
});

test("a reseller's own prices are set in its currency alone, and an empty one is the list price again", async () => {
  const reseller = await world.reseller();
  const { monthly, yearly } = await onSale();
  const own = (cycleId: number, price: string, seenVersion = "", currency = "USD"): PriceChange => ({
    ...{ cycleId, currency, price, seenVersion },
    ...{ setupFee: "", pricePerCore: null },
  });
  const saveOwn = (changes: readonly PriceChange[]) =>
    savePrices(admin, { resellerId: reseller.id, changes, allowBelowCost: false });
  const stored = async () =>
    (await listResellerPrices(admin, { resellerId: reseller.id })).rows.filter(({ cycleId }) => cycleId >= monthly);
  await saveOwn([own(monthly, "9"), own(yearly, "85")]);
  expect((await stored()).map(({ own }) => own?.price)).toEqual([900n, 8_500n]);
  const versions = new Map((await stored()).map(({ cycleId, ownVersion }) => [cycleId, ownVersion]));
  expect(await refusalOf(saveOwn([own(monthly, "7", versions.get(monthly), "EUR")]))).toMatchObject({
    code: "parameters_invalid",
  });
  await saveOwn([own(monthly, "", versions.get(monthly)), own(yearly, "80", versions.get(yearly))]);
  expect((await stored()).map(({ own }) => own?.price)).toEqual([undefined, 8_000n]);
});

test("a cost without a setup fee has none, and a currency without a price is no cost", async () => {
  const reseller = await world.reseller();
  const { monthly, yearly } = await onSale();
  const update = (id: number, data: { costPrice: bigint | null }) =>
    world.db.prisma.billingCycle.update({ where: { id }, data: { costCurrency: "USD", costSetupFee: null, ...data } });
  await update(monthly, { costPrice: 800n });
  await update(yearly, { costPrice: null });
  const { rows } = await listResellerPrices(admin, { resellerId: reseller.id });
  const costOf = (id: number) => rows.find(({ cycleId }) => cycleId === id)?.cost;
  expect(costOf(monthly)).toEqual({ price: 800n, setupFee: 0n, pricePerCore: null });
  expect(costOf(yearly)).toBeNull();
});
