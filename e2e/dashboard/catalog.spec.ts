import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { expect, expectRefusal, test } from "../support/dashboard.ts";
import { CURRENCY, newBundleOffer, newMark, newOffer } from "../support/offers.ts";
import { adminContext } from "../support/world.ts";

test("an admin adds a product, and with its first cycle resellers can buy it", async ({ page, login, newReseller }) => {
  const reseller = await newReseller({ currency: CURRENCY });
  const type = `mail_${newMark()}`;
  await login("admin");
  await page.goto("/catalog");
  await page.getByRole("link", { name: "Add product" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Mail Gateway");
  await page.getByLabel("Type").fill("Mail Gateway");
  await page.getByLabel("Provider's code").fill(type);
  await page.getByRole("button", { name: "Add product" }).click();
  await expect(page.getByLabel("Type")).toHaveAccessibleDescription(
    /Type must be up to 50 lowercase letters, digits or _/,
  );
  await page.getByLabel("Type").fill(type);
  await page.getByRole("button", { name: "Add product" }).click();
  await expect(page.getByRole("heading", { name: "Mail Gateway" })).toBeVisible();
  await expect(page.getByText("It is not on sale yet")).toBeVisible();

  await page.getByRole("button", { name: "Add cycle" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Monthly");
  await dialog.getByLabel("Months").fill("1");
  await dialog.getByLabel("Currency").selectOption(CURRENCY);
  await dialog.getByLabel(`Price in ${CURRENCY}`).fill("12.505");
  await dialog.getByRole("button", { name: "Add cycle" }).click();
  await expect(dialog.getByLabel(`Price in ${CURRENCY}`)).toHaveAccessibleDescription(/at most 2 decimals/);
  await dialog.getByLabel(`Price in ${CURRENCY}`).fill("12.5");
  await dialog.getByRole("button", { name: "Add cycle" }).click();
  await expect(page.getByLabel(`Monthly, price in ${CURRENCY}`)).toHaveValue("12.50");
  const { body } = await reseller.dispatch.get("products");
  const offered = body.data.products.find((product) => product.type === type);
  expect(offered?.cycles).toMatchObject([{ months: 1, price: 12.5, currency: CURRENCY }]);
});

test("a long name can be read in the way down to a page", async ({ page, login }) => {
  const { productId, name } = await newOffer({
    name: `Server Control Panel with Mail Gateway and Backup Agent ${newMark()}`,
  });
  await login("admin");
  await page.goto(`/catalog/products/${productId}/edit`);
  const link = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name });
  expect(await link.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false);
});

test("a changed price says first whom it touches, and counts for charges from now on", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ currency: CURRENCY });
  const { productId, cycleId } = await newOffer();
  const request = { product_id: productId, cycle_id: cycleId, ip_address: reseller.newAddress() };
  const { body } = await reseller.dispatch.post("license.register", request);
  const licenseId = Number(body.data.license_id);
  await setLicenseAutoRenew(adminContext(reseller.resellerId), { licenseId, on: true });
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  await expect(page.getByRole("region", { name: "Next renewals" })).toContainText(`lic_${licenseId}`);
  await expect(page.getByRole("grid")).toContainText("1 renewal");
  const price = page.getByLabel("Monthly, price in CHF");
  await price.click();
  await page.keyboard.type("15");
  await page.keyboard.press("Enter");
  await page.keyboard.type("2");
  await page.keyboard.press("Tab");
  await expect(page.getByText("1 renew at these prices, 1 automatically.")).toBeVisible();
  await page.getByRole("button", { name: "Save 1 price" }).click();
  await expect(page.getByText("1 price saved")).toBeVisible();
  await expect(price).toHaveValue("15.00");
  await expect(page.getByLabel("Monthly, setup fee in CHF")).toHaveValue("2.00");
  const renewed = await reseller.dispatch.post("license.renew", { license_id: licenseId });
  expect(renewed.body.data.price).toBe(15);
});

test("a product is retired and restored, and found by its state; a bundle on sale holds it", async ({
  page,
  login,
}) => {
  const [first, second] = [await newOffer(), await newOffer()];
  const bundle = await newBundleOffer([first.productId, second.productId], { 1: "18" }, `Suite ${newMark()}`);
  await login("admin");
  await page.goto(`/catalog/products/${first.productId}`);
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Retire" }).click();
  await expect(dialog.getByRole("alert")).toContainText(`The bundle ${bundle.name} sells it`);
  await page.goto(`/catalog/bundles/${bundle.bundleId}`);
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  await dialog.getByRole("button", { name: "Retire" }).click();
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toBeVisible();
  await page.goto(`/catalog/products/${first.productId}`);
  await page.getByRole("button", { name: "Retire", exact: true }).click();
  await dialog.getByRole("button", { name: "Retire" }).click();
  await expect(page.getByRole("button", { name: "Restore", exact: true })).toBeVisible();

  await page.goto("/catalog");
  await page.getByLabel("Search products").fill(first.type);
  await expect(page).toHaveURL(new RegExp(`q=${first.type}`));
  await page.getByRole("navigation", { name: "Filter by state" }).getByRole("link", { name: "Retired" }).click();
  await expect(page).toHaveURL(/state=retired/);
  await page.getByRole("table", { name: "Products" }).getByRole("link", { name: first.name }).click();
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("button", { name: "Retire", exact: true })).toBeVisible();
});

test("a bundle is made of members in their order, and sold for the terms that all of them have", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ currency: CURRENCY });
  const [one, other] = [await newOffer({ prices: { 1: "10", 12: "100" } }), await newOffer({ prices: { 1: "5" } })];
  const name = `Suite ${newMark()}`;
  await login("admin");
  await page.goto("/catalog/bundles/new");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Add a product").selectOption(String(one.productId));
  await page.getByRole("button", { name: "Add bundle" }).click();
  await expect(page.getByRole("group", { name: "Members" })).toHaveAccessibleDescription(/two or more products/);
  await page.getByLabel("Add a product").selectOption(String(other.productId));
  await page.getByRole("button", { name: `Move ${other.name} up` }).click();
  await page.getByRole("button", { name: "Add bundle" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();

  await page.getByRole("button", { name: "Add cycle" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Yearly");
  await dialog.getByLabel("Months").fill("12");
  await dialog.getByLabel("Currency").selectOption(CURRENCY);
  await dialog.getByLabel(`Price in ${CURRENCY}`).fill("14");
  await dialog.getByRole("button", { name: "Add cycle" }).click();
  await expect(dialog.getByLabel("Months")).toHaveAccessibleDescription(
    new RegExp(`${other.name} has no cycle of 12 months`),
  );
  await dialog.getByLabel("Name").fill("Monthly");
  await dialog.getByLabel("Months").fill("1");
  await dialog.getByRole("button", { name: "Add cycle" }).click();
  await expect(page.getByLabel(`Monthly, price in ${CURRENCY}`)).toHaveValue("14.00");
  const { body } = await reseller.dispatch.get("bundles");
  const offered = body.data.bundles.find((bundle) => bundle.name === name);
  expect(offered?.products.map(({ type }) => type)).toEqual([other.type, one.type]);
});

test("a reseller's own price wins over the list price until it is removed", async ({ page, login, newReseller }) => {
  const reseller = await newReseller({ currency: CURRENCY });
  await newOffer({ name: "Offer above it" });
  const { type, name } = await newOffer();
  const priceOf = async () => {
    const { body } = await reseller.dispatch.get("products");
    return body.data.products.find((product) => product.type === type)?.cycles[0]?.price;
  };
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("navigation", { name: "Reseller" }).getByRole("link", { name: "Prices" }).click();
  await expect(page).toHaveTitle(`Prices · ${reseller.name} · License Desk`);
  const own = page.getByLabel(`${name}, Monthly, own price`);
  await expect(own).toHaveAttribute("placeholder", "10.00 list");
  const search = Promise.withResolvers<void>();
  await page.route(/[?&]q=/, async (route) => {
    await search.promise;
    await route.continue();
  });
  await page.getByLabel("Search prices").fill(name);
  await expect(page).toHaveURL(/q=Offer/);
  await own.click();
  search.resolve();
  await expect(page.getByRole("grid").getByRole("textbox")).toHaveCount(2);
  await page.keyboard.type("9");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("grid")).toContainText("10% below list");
  await page.getByRole("button", { name: "Save 1 price" }).click();
  await expect(page.getByText("1 price saved")).toBeVisible();
  await expect(own).toHaveValue("9.00");
  expect(await priceOf()).toBe(9);
  await own.click();
  await page.keyboard.press("Delete");
  await page.getByRole("button", { name: "Save 1 price" }).click();
  await expect.poll(priceOf).toBe(10);
  await expect(own).toHaveValue("");
});

test("the catalog and the providers are closed to a reseller's user", async ({ page, login, reseller, tolerate }) => {
  tolerate(/status of 403/);
  await login(reseller);
  for (const path of ["/catalog", "/catalog/bundles", "/catalog/products/new", "/providers", "/providers/sandbox"]) {
    await expectRefusal(page, path, "administrators");
  }
});
