import { getRuntime } from "#lib/runtime.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { inspect } from "../support/looks.ts";
import { CURRENCY, expect, newBundleOffer, newMark, newOffer, test } from "../support/offers.ts";
import { adminContext, type Reseller, systemContext } from "../support/world.ts";

/** A catalog with everything in it, under names that a search finds alone. */
async function furnish(reseller: Reseller) {
  const mark = newMark();
  const { prisma } = getRuntime().db;
  await prisma.reseller.update({ where: { id: reseller.resellerId }, data: { name: "Northwind Hosting" } });
  const panel = await newOffer({
    name: `Control Panel ${mark}`,
    description: "Manages websites, mail and databases of one server.",
    prices: { 1: "14.50", 3: "41.30", 12: "145" },
  });
  const server = await newOffer({ name: `Web Server ${mark}`, prices: { 1: "18", 12: "180" }, pricePerCore: "6.50" });
  await newOffer({ name: `Mail Gateway ${mark}`, prices: {} });
  const old = await newOffer({ name: `Backup Agent ${mark}`, prices: { 1: "4.75" } });
  await prisma.product.update({ where: { id: old.productId }, data: { retiredAt: new Date() } });
  const cost = { costCurrency: CURRENCY, costPrice: 1_150n, costSetupFee: 0n };
  await prisma.billingCycle.updateMany({ where: { productId: panel.productId, months: 1 }, data: cost });
  await setPrice(systemContext(), {
    resellerId: null,
    cycleId: panel.cycleId,
    currency: "JPY",
    price: "2150",
    setupFee: "500",
    pricePerCore: null,
  });
  const bundle = await newBundleOffer([panel.productId, server.productId], { 1: "29.90", 12: "299" }, `Suite ${mark}`);
  const own = { cycleId: panel.cycleId, currency: CURRENCY, resellerId: reseller.resellerId };
  await setPrice(systemContext(), { ...own, setupFee: "", pricePerCore: null, price: "11.20", allowBelowCost: true });
  const renewing = { product_id: server.productId, cycle_id: server.cycleId, ip_address: reseller.newAddress() };
  const { body } = await reseller.dispatch.post("license.register", renewing);
  const licenseId = Number(body.data.license_id);
  await setLicenseAutoRenew(adminContext(reseller.resellerId), { licenseId, on: true });
  return { mark, panel, server, bundle };
}

test("the pages of products are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const { mark, panel, server } = await furnish(await newReseller({ currency: CURRENCY }));
  await login("admin");
  await page.goto(`/catalog?q=${mark}`);
  await inspect(page, "catalog");
  await page.goto("/catalog/products/new");
  await page.getByRole("button", { name: "Add product" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
  await inspect(page, "catalog-product-new");
  await page.goto(`/catalog/products/${panel.productId}`);
  await inspect(page, "catalog-product");
  await page.getByRole("button", { name: "Add cycle" }).click();
  await inspect(page, "catalog-cycle-new");
  await page.goto(`/catalog/products/${server.productId}`);
  await inspect(page, "catalog-price");
  await page.goto(`/catalog/products/${server.productId}/edit`);
  await inspect(page, "catalog-product-edit");
});

test("the pages of bundles in the catalog are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const { bundle } = await furnish(await newReseller({ currency: CURRENCY }));
  await login("admin");
  await page.goto("/catalog/bundles?state=on_sale");
  await page.getByLabel("Search bundles").fill(bundle.name);
  await expect(page.getByRole("table", { name: "Bundles" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("link", { name: bundle.name })).toBeVisible();
  await inspect(page, "catalog-bundles");
  await page.goto(`/catalog/bundles/${bundle.bundleId}`);
  await inspect(page, "catalog-bundle");
  await page.goto(`/catalog/bundles/${bundle.bundleId}/edit`);
  await inspect(page, "catalog-bundle-edit");
});

test("the prices of a reseller are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ currency: CURRENCY });
  const { mark } = await furnish(reseller);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/prices?q=${mark}`);
  await expect(page.getByText("22.76% below list")).toBeVisible();
  await inspect(page, "catalog-own-prices");
});

test("the pages of providers are accessible and fit", async ({ page, login, newReseller, newUpstream }) => {
  test.slow();
  const upstream = await newReseller({ currency: "NOK" });
  await upstream.newProduct({ price: 14_500n });
  await upstream.newProduct({ price: 18_000n, pricePerCore: 6_500n, setupFee: 5_000n });
  const provider = await newUpstream(upstream);
  await login("admin");
  await page.goto("/providers");
  await inspect(page, "providers");
  await page.goto("/providers/new");
  await page.getByRole("radio", { name: /^Sign/ }).check();
  await inspect(page, "provider-new");
  await page.goto(`/providers/${provider}`);
  await inspect(page, "provider");
  await page.goto(`/providers/${provider}/edit`);
  await inspect(page, "provider-edit");
  await page.goto(`/providers/${provider}/import`);
  await expect(async () => {
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("table", { name: "New" })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await inspect(page, "provider-import");
});
