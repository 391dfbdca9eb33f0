import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServiceContext } from "#lib/services/context.ts";
import { registerLicense } from "#lib/services/license/register.ts";
import { renewLicense } from "#lib/services/license/renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { setResellerSuspended } from "#lib/services/reseller/settings.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { codeOf } from "#tests/support/faults.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { createCycle } from "./create-cycle.ts";
import { createProduct } from "./create-product.ts";
import { getCatalogProduct } from "./get-product.ts";
import { listCatalogProducts } from "./list-catalog.ts";
import { listProducts } from "./list-products.ts";
import { listResellerPrices } from "./list-reseller-prices.ts";
import { getPriceReach } from "./price-reach.ts";
import { removePrice } from "./remove-price.ts";
import { setCycleRetired } from "./set-cycle-retired.ts";
import { setPrice } from "./set-price.ts";
import { setProductRetired } from "./set-product-retired.ts";
import { updateCycle } from "./update-cycle.ts";
import { updateProduct } from "./update-product.ts";

const DAY_MS = 86_400_000;

let world: World;
let admin: ServiceContext;
let names = 0;

beforeAll(async () => {
  world = await newWorld();
  admin = world.context(actors.admin(null));
});
afterAll(() => world.close());

function fields(change: Partial<Parameters<typeof createProduct>[1]> = {}) {
  const slug = `product_${++names}`;
  return {
    slug,
    name: `Product ${names}`,
    description: "",
    coreMetered: false,
    workers: 0,
    provider: "sandbox",
    providerSku: slug,
    ...change,
  };
}
const price = (text: string, more: object = {}) => ({ price: text, setupFee: "", pricePerCore: null, ...more });
const monthly = { name: "Monthly", months: 1, providerCycle: null, currency: "USD" };

async function onSale(text = "10", change: Parameters<typeof fields>[0] = {}) {
  const input = fields(change);
  const { productId } = await createProduct(admin, input);
  const pricePerCore = input.coreMetered ? "2" : null;
  const { cycleId } = await createCycle(admin, { owner: { productId }, ...monthly, ...price(text, { pricePerCore }) });
  return { ...input, productId, cycleId };
}
const detailsOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error.details);
const auditOf = async (subject: string) =>
  (await world.db.prisma.auditEntry.findMany({ where: { subject }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

describe("a product", () => {
  test("is on sale once it has a cycle with a price, and each of its changes is in the audit log", async () => {
    const reseller = await world.reseller();
    const input = fields({ description: "Filters mail." });
    const { productId } = await createProduct(admin, input);
    const offer = async () =>
      (await listProducts(reseller.context())).find((product) => product.productId === productId);
    expect(await offer()).toBeUndefined();
    const { cycleId } = await createCycle(admin, { owner: { productId }, ...monthly, ...price("12.50") });
    expect(await offer()).toMatchObject({ description: "Filters mail.", cycles: [{ cycleId, price: 1250n }] });
    await updateProduct(admin, { ...input, productId, name: "Mail Filter" });
    await updateCycle(admin, { cycleId, name: "By the month", providerCycle: null });
    expect(await offer()).toMatchObject({ name: "Mail Filter", cycles: [{ name: "By the month" }] });
    await setProductRetired(admin, { productId, retired: true });
    await setProductRetired(admin, { productId, retired: true });
    expect(await offer()).toBeUndefined();
    await setProductRetired(admin, { productId, retired: false });
    expect(await offer()).toBeDefined();
    expect(await auditOf(`product:${productId}`)).toEqual([
      "catalog.create_product",
      "catalog.create_cycle",
      "catalog.update_product",
      "catalog.update_cycle",
      "catalog.retire_product",
      "catalog.restore_product",
    ]);
  });

  test("has a unique type and provider code, and an existing provider", async () => {
    const first = await onSale();
    expect(await detailsOf(createProduct(admin, fields({ slug: first.slug })))).toHaveProperty("type");
    const same = fields({ providerSku: first.providerSku });
    expect(await detailsOf(createProduct(admin, same))).toHaveProperty("provider_sku");
    expect(await detailsOf(createProduct(admin, fields({ provider: "nobody" })))).toHaveProperty("provider");
    const second = await onSale();
    const taken = updateProduct(admin, { ...second, providerSku: first.providerSku });
    expect(await detailsOf(taken)).toHaveProperty("provider_sku");
  });

  test("has a fixed provider code while it has licenses, and fixed metering while it has prices", async () => {
    const reseller = await world.reseller();
    const product = await onSale();
    expect(await detailsOf(updateProduct(admin, { ...product, coreMetered: true }))).toHaveProperty("core_metered");
    await updateProduct(admin, { ...product, providerSku: `${product.slug}-2` });
    const license = await reseller.register({ type: product.slug });
    expect(await detailsOf(updateProduct(admin, { ...product, providerSku: "x" }))).toHaveProperty("provider_sku");
    await world.db.prisma.license.updateMany({
      where: { id: license.licenseId },
      data: { terminatedAt: world.now() },
    });
    await updateProduct(admin, product);
  });

  test("moves before a purchase, which is refused, or not at all", async () => {
    const reseller = await world.reseller();
    const product = await onSale();
    const move = () => updateProduct(admin, { ...product, providerSku: `${product.slug}-2` });
    const { licenseId } = await reseller.register({ type: product.slug });
    await world.db.query(sql("update licenses set terminated_at = now() where id = $1"), [licenseId]);

    // As when a hold is being placed.
    const hold = await world.db.begin();
    await hold.query(sql("select from products where id = $1 for key share"), [product.productId]);
    await hold.query(sql("update licenses set terminated_at = null where id = $1"), [licenseId]);
    const moved = codeOf(move());
    await setTimeout(300);
    await hold.commit();
    expect(await moved).toBe("changed_meanwhile");

    await world.db.query(sql("update licenses set terminated_at = now() where id = $1"), [licenseId]);
    const query: typeof world.db.query = async (statement, values) => {
      if (statement.name === "hold_operations") await move();
      return world.db.query(statement, values);
    };
    const { productId, cycleId } = product;
    const order = { productId, cycleId, ipAddress: world.freshIp() };
    const held = registerLicense({ ...reseller.context(), db: { ...world.db, query } }, order);
    expect(await codeOf(held)).toBe("operation_in_progress");
    expect(await registerLicense(reseller.context(), order)).toMatchObject({ pending: false });
  });

  test("is found by name, type, code and state, page after page", async () => {
    const mark = `findme${++names}`;
    for (const name of ["C", "A", "B"]) await onSale("1", { name: `${name} ${mark}` });
    await createProduct(admin, fields({ name: `D ${mark}` }));
    const list = async (change: Partial<Parameters<typeof listCatalogProducts>[1]> = {}) => {
      const all = { text: mark, state: null, provider: null, after: null, limit: 10, ...change };
      const page = await listCatalogProducts(admin, all);
      return { names: page.rows.map(({ name }) => name[0]).join(""), next: page.next };
    };
    expect(await list()).toEqual({ names: "ABCD", next: null });
    expect((await list({ state: "not_sold" })).names).toBe("D");
    expect((await list({ provider: "nobody" })).names).toBe("");
    expect((await list({ text: "%" })).names).toBe("");
    const first = await list({ limit: 3 });
    expect(first.names).toBe("ABC");
    expect((await list({ limit: 3, after: first.next })).names).toBe("D");
  });
});

describe("a cycle", () => {
  test("is unique per number of months, with the price that its product needs", async () => {
    const { productId } = await onSale();
    const again = createCycle(admin, { owner: { productId }, ...monthly, ...price("1") });
    expect(await detailsOf(again)).toHaveProperty("months");
    const metered = await onSale("10", { coreMetered: true });
    const yearly = { owner: { productId: metered.productId }, ...monthly, months: 12 };
    expect(await detailsOf(createCycle(admin, { ...yearly, ...price("1") }))).toHaveProperty("price_per_core");
    expect(await detailsOf(createCycle(admin, { ...yearly, ...price("1"), currency: "XXZ" }))).toHaveProperty(
      "currency",
    );
    expect((await getCatalogProduct(admin, { productId: metered.productId })).cycles).toHaveLength(1);
  });

  test("cannot be bought once retired, but existing licenses renew with it", async () => {
    const reseller = await world.reseller();
    const product = await onSale();
    const { licenseId } = await reseller.register({ type: product.slug });
    await setCycleRetired(admin, { cycleId: product.cycleId, retired: true });
    const onOffer = (await listProducts(reseller.context())).map(({ type }) => type);
    expect(onOffer).not.toContain(product.slug);
    await renewLicense(reseller.context(), { licenseId });
    expect(await reseller.entries()).toEqual([100_000n, -1_000n, -1_000n]);
  });
});

describe("a price", () => {
  test("applies to future charges, and shows its reach", async () => {
    const [first, second, own] = [await world.reseller(), await world.reseller(), await world.reseller()];
    const { slug, cycleId } = await onSale();
    await setPrice(admin, { cycleId, currency: "USD", resellerId: own.id, ...price("7") });
    const license = await first.register({ type: slug });
    for (const buyer of [first, second, own]) await buyer.register({ type: slug });
    await setLicenseAutoRenew(first.admin(), { licenseId: license.licenseId, on: true });
    const { reach, next } = await getPriceReach(admin, { cycleIds: [cycleId] });
    expect(reach).toEqual([
      {
        cycleId,
        currency: "USD",
        renewable: 3,
        autoRenew: 1,
        ownPrice: 1,
      },
    ]);
    expect(next).toMatchObject([{ kind: "license", id: license.licenseId, resellerId: first.id }]);

    await setPrice(admin, { resellerId: null, cycleId, currency: "USD", ...price("12") });
    await renewLicense(first.context(), { licenseId: license.licenseId });
    expect((await first.entries()).at(-1)).toBe(-1_200n);
    expect((await own.entries()).at(-1)).toBe(-700n);
  });

  test("names its next automatic renewals in the order in which they are charged, with that day", async () => {
    const { slug, cycleId } = await onSale();
    const registerRenewing = async (renewAheadDays: number) => {
      const reseller = await world.reseller();
      await setRenewalSettings(admin, { resellerId: reseller.id, renewAheadDays });
      const { licenseId, expiresAt } = await reseller.register({ type: slug });
      await setLicenseAutoRenew(reseller.admin(), { licenseId, on: true });
      return { reseller, licenseId, renewsAt: new Date(expiresAt.getTime() - renewAheadDays * DAY_MS) };
    };
    const [later, sooner, never] = [await registerRenewing(1), await registerRenewing(20), await registerRenewing(30)];
    await setResellerSuspended(admin, { resellerId: never.reseller.id, suspended: true, reason: "unpaid" });
    const read = async () =>
      (await getPriceReach(admin, { cycleIds: [cycleId] })).next.map(({ id, renewsAt }) => [id, renewsAt]);
    const last = [later.licenseId, later.renewsAt];
    expect(await read()).toEqual([[sooner.licenseId, sooner.renewsAt], last]);
    world.setClock(new Date(sooner.renewsAt.getTime() + DAY_MS));
    expect(await read()).toEqual([[sooner.licenseId, world.now()], last]);
  });

  test("has its currency's decimals, and is unique per currency", async () => {
    const { cycleId, productId } = await onSale();
    expect(
      await detailsOf(setPrice(admin, { resellerId: null, cycleId, currency: "JPY", ...price("1.5") })),
    ).toHaveProperty("price");
    for (const yen of ["1500", "1600"])
      await setPrice(admin, { resellerId: null, cycleId, currency: "JPY", ...price(yen) });
    const [cycle] = (await getCatalogProduct(admin, { productId })).cycles;
    expect(cycle?.prices.map(({ currency, price }) => [currency, price])).toEqual([
      ["JPY", 1600n],
      ["USD", 1000n],
    ]);
  });

  test("cannot be removed while something renews at it", async () => {
    const reseller = await world.reseller();
    const { slug, cycleId } = await onSale();
    await setPrice(admin, { resellerId: null, cycleId, currency: "EUR", ...price("9") });
    await reseller.register({ type: slug });
    expect(await codeOf(removePrice(admin, { resellerId: null, cycleId, currency: "USD" }))).toBe("state_invalid");
    await removePrice(admin, { resellerId: null, cycleId, currency: "EUR" });
    expect(await codeOf(removePrice(admin, { resellerId: null, cycleId, currency: "EUR" }))).toBe("not_found");
  });
});

describe("a reseller's own price", () => {
  test("takes precedence over the list price until removed, and is listed with it and the cost", async () => {
    const reseller = await world.reseller();
    const { slug, cycleId, productId } = await onSale();
    await world.db.prisma.billingCycle.update({
      where: { id: cycleId },
      data: { costCurrency: "USD", costPrice: 800n, costSetupFee: 0n },
    });
    await setPrice(admin, { cycleId, currency: "USD", resellerId: reseller.id, ...price("9.50") });
    const row = async () =>
      (await listResellerPrices(admin, { resellerId: reseller.id })).rows.find((one) => one.cycleId === cycleId);
    expect(await row()).toMatchObject({
      ownerId: productId,
      list: { price: 1000n },
      own: { price: 950n },
      cost: { price: 800n },
      live: 0,
    });
    await reseller.register({ type: slug });
    expect((await reseller.entries()).at(-1)).toBe(-950n);
    await removePrice(admin, { cycleId, currency: "USD", resellerId: reseller.id });
    expect(await row()).toMatchObject({ own: null, live: 1 });
    expect(await auditOf(`product:${productId}`)).toEqual([
      "catalog.create_product",
      "catalog.create_cycle",
      "catalog.set_reseller_price",
      "catalog.remove_reseller_price",
    ]);
  });

  test("cannot be removed while the reseller renews at it and there is no list price", async () => {
    const reseller = await world.reseller({ currency: "EUR" });
    const { slug, cycleId } = await onSale();
    const own = { cycleId, currency: "EUR", resellerId: reseller.id };
    await setPrice(admin, { ...own, ...price("9") });
    await reseller.register({ type: slug });
    expect(await codeOf(removePrice(admin, own))).toBe("state_invalid");
    await setPrice(admin, { resellerId: null, cycleId, currency: "EUR", ...price("10") });
    await removePrice(admin, own);
  });
});
