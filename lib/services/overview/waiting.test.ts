import { afterAll, beforeAll, expect, test } from "vitest";
import { createCycle } from "#lib/services/catalog/create-cycle.ts";
import { createProduct } from "#lib/services/catalog/create-product.ts";
import { setProductRetired } from "#lib/services/catalog/set-product-retired.ts";
import { sql } from "#tests/sql.ts";
import { actors } from "#tests/support/actors.ts";
import { newWorld, type World } from "#tests/support/world.ts";
import { getWaiting } from "./waiting.ts";

let world: World;
beforeAll(async () => {
  world = await newWorld();
  await world.db.query(sql("update billing_cycles set retired_at = now()"), []);
});
afterAll(() => world.close());

test("a catalog waits for an admin until a product is sold at a price, and again once it is retired", async () => {
  const admin = world.context(actors.admin(null));
  const sells = async () => (await getWaiting(admin)).sells;
  expect(await sells()).toBe(false);
  const sku = { slug: "panel", provider: "sandbox", providerSku: "panel" };
  const details = { name: "Panel", description: "", coreMetered: false, workers: 0 };
  const { productId } = await createProduct(admin, { ...details, ...sku });
  expect(await sells()).toBe(false);
  const price = { currency: "USD", price: "10", setupFee: "", pricePerCore: null };
  await createCycle(admin, { owner: { productId }, name: "Monthly", months: 1, providerCycle: null, ...price });
  expect(await sells()).toBe(true);
  await setProductRetired(admin, { productId, retired: true });
  expect(await sells()).toBe(false);
});
