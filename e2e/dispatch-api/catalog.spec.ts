import { getRuntime } from "#lib/runtime.ts";
import { verdictOf } from "../support/http.ts";
import { expect, test } from "../support/test.ts";
import { minor } from "../support/world.ts";

/** Other tests may add to the list that everybody sees. */
const seededTypes = ["control_panel", "hardened_kernel", "web_server", "malware_scanner", "backup_agent"];
const seededBundles: readonly (readonly [string, readonly string[]])[] = [
  ["Shared Hosting Essentials", ["control_panel", "hardened_kernel", "malware_scanner"]],
  ["Performance Server", ["control_panel", "web_server", "backup_agent"]],
];

const cycle = {
  cycle_id: expect.any(Number),
  name: expect.any(String),
  months: expect.any(Number),
  price: expect.any(Number),
  setup_fee: expect.any(Number),
};

for (const currency of ["USD", "EUR", "JPY", "KWD"]) {
  test(`products lists what a reseller in ${currency} can buy, in its currency (contract 3.8)`, async ({
    newReseller,
  }) => {
    const reseller = await newReseller({ currency });
    const { status, body } = await reseller.dispatch.get("products");
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["success", "data"]);
    expect(Object.keys(body.data)).toEqual(["products"]);
    const seeded = body.data.products.filter(({ type }) => seededTypes.includes(type));
    expect(seeded.map(({ type }) => type)).toEqual(seededTypes);
    for (const product of seeded) {
      expect(product).toEqual({
        product_id: expect.any(Number),
        name: expect.any(String),
        type: expect.any(String),
        core_metered: product.type === "web_server",
        workers: product.type === "web_server" ? 4 : 0,
        cycles: [1, 3, 12].map((months) => ({
          ...cycle,
          months,
          currency,
          price_per_core: product.type === "web_server" ? expect.any(Number) : null,
        })),
      });
    }
  });
}

for (const [currency, price, setupFee] of [
  ["USD", 1999n, 1n],
  ["JPY", 2175n, 750n],
  ["KWD", 4495n, 1001n],
] as const) {
  test(`what products says is what is charged, exact in ${currency} (contract 1.9, 3.3, 3.8)`, async ({
    newReseller,
  }) => {
    const reseller = await newReseller({ currency, funds: "100000" });
    const { product_id, cycle_id } = await reseller.newProduct({ price, setupFee });
    const { products } = (await reseller.dispatch.get("products")).body.data;
    const offered = products.find((product) => product.product_id === product_id)?.cycles[0];
    expect(minor(offered?.price ?? 0, currency)).toBe(price);
    expect(minor(offered?.setup_fee ?? 0, currency)).toBe(setupFee);
    const request = { product_id, cycle_id, ip_address: reseller.newAddress() };
    const { data } = (await reseller.dispatch.post("license.register", request)).body;
    expect(data.currency).toBe(currency);
    expect(minor(data.price, currency)).toBe(price + setupFee);
    expect(minor(data.balance_after, currency)).toBe(minor(100_000, currency) - price - setupFee);
  });
}

test("a reseller's own price wins over the list price, for it alone (contract 3.8)", async ({
  reseller,
  newReseller,
}) => {
  const stranger = await newReseller();
  const listed = (await reseller.dispatch.get("products")).body.data.products[0];
  const cycle_id = listed?.cycles[0]?.cycle_id ?? 0;
  await getRuntime().db.prisma.price.create({
    data: { cycleId: cycle_id, resellerId: reseller.resellerId, currency: "USD", price: 777n },
  });
  const priceFor = async (someone: typeof reseller) =>
    (await someone.dispatch.get("products")).body.data.products[0]?.cycles[0]?.price;
  expect(await priceFor(reseller)).toBe(7.77);
  expect(await priceFor(stranger)).toBe(listed?.cycles[0]?.price);
});

test("what has no price in the reseller's currency is not listed and cannot be bought (contract 3.8)", async ({
  newReseller,
  reseller,
}) => {
  const poor = await newReseller({ currency: "CHF" });
  expect((await poor.dispatch.get("products")).body.data).toEqual({ products: [] });
  expect((await poor.dispatch.get("bundles")).body.data).toEqual({ bundles: [] });
  const [product] = (await reseller.dispatch.get("products")).body.data.products;
  const [bundle] = (await reseller.dispatch.get("bundles")).body.data.bundles;
  const ip_address = poor.newAddress();
  const register = await poor.dispatch.post("license.register", {
    product_id: product?.product_id ?? 0,
    cycle_id: product?.cycles[0]?.cycle_id ?? 0,
    ip_address,
  });
  expect(verdictOf(register)).toBe("404 PRODUCT_NOT_FOUND");
  const bundled = await poor.dispatch.post("bundle.register", {
    bundle_id: bundle?.bundle_id ?? 0,
    cycle_id: bundle?.cycles[0]?.cycle_id ?? 0,
    ip_address,
  });
  expect(verdictOf(bundled)).toBe("404 BUNDLE_NOT_FOUND");
});

test("a cycle of another product cannot be bought (contract 3.2)", async ({ reseller }) => {
  const { product_id } = await reseller.newProduct();
  const { cycle_id } = await reseller.newProduct();
  for (const wrong of [cycle_id, 2_147_483_647]) {
    const request = { product_id, cycle_id: wrong, ip_address: reseller.newAddress() };
    expect(verdictOf(await reseller.dispatch.post("license.register", request))).toBe("404 CYCLE_NOT_FOUND");
  }
});

test("bundles lists members and cycles (contract 3.9)", async ({ reseller }) => {
  const { status, body } = await reseller.dispatch.get("bundles");
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(["success", "data"]);
  const listed = body.data.bundles.filter(({ name }) => seededBundles.some(([seeded]) => seeded === name));
  expect(listed).toEqual(
    seededBundles.map(([name, types]) => ({
      bundle_id: expect.any(Number),
      name,
      description: expect.any(String),
      products: types.map((type) => ({ product_id: expect.any(Number), name: expect.any(String), type })),
      cycles: [1, 3, 12].map((months) => ({ ...cycle, months, currency: "USD", price_per_core: null })),
    })),
  );
});
