import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { changePrice } from "../support/catalog.ts";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, systemContext } from "../support/world.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const refusal = (page: Page) => page.getByRole("alert").filter({ hasText: "The price has changed" });

test("a registration at another price than shown is refused with the new one, and keeps what was filled in", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const product = await reseller.newProduct({ price: 1800n });
  const address = reseller.newAddress();
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name: product.name }).check();
  await page.getByLabel("Address").fill(address);
  await page.getByLabel("Notes").fill("Order 4711");
  await expect(button(page, "Register for $18.00")).toBeVisible();
  await changePrice(product.cycle_id, 9900n);
  await button(page, "Register for $18.00").click();

  await expect(refusal(page)).toContainText("this now costs $99.00");
  await expect(refusal(page)).toContainText("Nothing was charged. The new price is shown: confirm again to accept it.");
  await expect(shownBalance(page)).toContainText("$1,000.00");
  await expect(page.getByLabel("Address")).toHaveValue(address);
  await expect(page.getByLabel("Notes")).toHaveValue("Order 4711");
  await inspect(page, "price-changed-registration");
  await button(page, "Register for $99.00").click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$901.00");
});

test("a renewal at another price than shown is refused with the new one, and can be confirmed again", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1800n } });
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Renew" }).click();
  await changePrice(license.cycle_id, 9900n);
  await button(page, "Renew for $18.00").click();
  await expect(refusal(page)).toContainText("this now costs $99.00");
  await expect(shownBalance(page)).toContainText("$982.00");
  await inspect(page, "price-changed-renewal");
  await button(page, "Renew for $99.00").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(shownBalance(page)).toContainText("$883.00");
});

test("a bundle is bought and renewed at no other price than shown", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const bundle = await reseller.newBundle([{}, {}], { price: 1800n });
  await page.goto(`/bundles/new?bundle=${bundle.bundle_id}`);
  await page.getByLabel("Address").fill(reseller.newAddress());
  await changePrice(bundle.cycle_id, 9900n);
  await button(page, "Register for $18.00").click();
  await expect(refusal(page)).toContainText("this now costs $99.00");
  await button(page, "Register for $99.00").click();
  await expect(page).toHaveURL(/\/bundles\/\d+$/);
  await expect(shownBalance(page)).toContainText("$901.00");

  await page.getByRole("button", { name: "Renew" }).click();
  await changePrice(bundle.cycle_id, 10_000n);
  await button(page, "Renew for $99.00").click();
  await expect(refusal(page)).toContainText("this now costs $100.00");
  await button(page, "Renew for $100.00").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(shownBalance(page)).toContainText("$801.00");
});

test(
  "in place of a bundle that is retired meanwhile, no other is chosen",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { bundle_id: id } = await reseller.newBundle([{}, {}], { price: 900n });
    await page.goto(`/bundles/new?bundle=${id}`);
    await page.getByLabel("Address").fill(reseller.newAddress());
    await getRuntime().db.prisma.bundle.update({ where: { id }, data: { retiredAt: new Date() } });
    await button(page, "Register for $9.00").click();
    const bundles = page.getByRole("group", { name: "Bundle" });
    await expect(bundles).toHaveAccessibleDescription("Bundle is not one of the bundles on sale.");
    await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
    await inspect(page, "bundle-retired");
    await button(page, "Register").click();
    await expect(bundles).toHaveAccessibleDescription("Choose a bundle.");
  },
);

/** A monthly license, and the retirement of its product's yearly cycle. */
async function newLicenseWithYear(reseller: Reseller) {
  const license = await reseller.newLicense({ product: { price: 1800n } });
  const id = await reseller.newCycle(license.product_id, { months: 12, price: 9900n });
  const data = { retiredAt: new Date() };
  return { license, retireYear: () => getRuntime().db.prisma.billingCycle.update({ where: { id }, data }) };
}

test(
  "in place of a cycle that is retired meanwhile, no other is chosen",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { license, retireYear } = await newLicenseWithYear(reseller);
    await page.goto("/licenses/new");
    await page.getByRole("radio", { name: license.name }).check();
    await page.getByRole("radio", { name: /12 months/ }).check();
    await page.getByLabel("Address").fill(reseller.newAddress());
    await retireYear();
    await button(page, "Register for $99.00").click();
    const cycles = page.getByRole("group", { name: "Billing cycle" });
    await expect(cycles).toHaveAccessibleDescription(
      "Billing cycle is not one of the product's billing cycles on sale.",
    );
    await expect(page.getByRole("radio", { name: /Monthly/ })).not.toBeChecked();
    await button(page, "Register").click();
    await expect(cycles).toHaveAccessibleDescription(/Choose a billing cycle/);
  },
);

test(
  "in place of a renewal's cycle that is retired meanwhile, no other is chosen",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { license, retireYear } = await newLicenseWithYear(reseller);
    await page.goto(`/licenses/${license.license_id}`);
    await page.getByRole("button", { name: "Renew" }).click();
    await page.getByLabel("Billing cycle").selectOption({ label: "12 months, $99.00" });
    await retireYear();
    await button(page, "Renew for $99.00").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Renew", exact: true })).toBeDisabled();
    await inspect(page, "renewal-cycle-retired");
    await dialog.getByLabel("Billing cycle").selectOption({ label: "Monthly, $18.00 (current)" });
    await dialog.getByRole("button", { name: "Renew for $18.00" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(shownBalance(page)).toContainText("$964.00");
  },
);

test("a renewal of many starts at no other total than shown", async ({ page, login, reseller }) => {
  test.slow();
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1800n } });
  await page.goto("/licenses");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await page.getByRole("region", { name: "Selected licenses" }).getByRole("button", { name: "Renew" }).click();
  await expect(button(page, "Renew 1 for $18.00")).toBeVisible();
  await changePrice(license.cycle_id, 9900n);
  await expect(page.getByRole("dialog")).toContainText(`(lic_${license.license_id})`);
  await button(page, "Renew 1 for $18.00").click();
  await expect(refusal(page)).toContainText("this now costs $99.00");
  await inspect(page, "price-changed-bulk");
  await button(page, "Renew 1 for $99.00").click();
  await expect(page.getByText("Finished: 1 done")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$883.00");
});

test("what failed is tried again at no other total than shown", onDesktop, async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "30" });
  await login(reseller);
  const licenses = [await reseller.newLicense(), await reseller.newLicense()];
  await page.goto("/licenses");
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await page.getByRole("region", { name: "Selected licenses" }).getByRole("button", { name: "Renew" }).click();
  await button(page, "Renew 2 for up to $20.00").click();
  await expect(page.getByText("Finished: 1 done, 1 failed")).toBeVisible();
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "100", note: "" });
  await page.reload();
  await page.getByRole("button", { name: "Retry 1 failed" }).click();
  for (const { cycle_id } of licenses) await changePrice(cycle_id, 9900n);
  await button(page, "Retry for up to $10.00").click();
  await expect(refusal(page)).toContainText("this now costs $99.00");
  await inspect(page, "price-changed-retry");
  await button(page, "Retry for up to $99.00").click();
  await expect(page.getByText("Finished: 2 done")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$1.00");
});

test("an import starts at no other total than shown, and keeps its table", async ({ page, login, reseller }) => {
  test.slow();
  await login(reseller);
  const product = await reseller.newProduct({ price: 1800n });
  await page.goto("/licenses/import");
  await page
    .getByLabel("Table", { exact: true })
    .fill(`product,ip\n${product.name},${reseller.newAddress()}\n${product.name},${reseller.newAddress()}\n`);
  await page.getByRole("button", { name: "Check the table" }).click();
  await expect(button(page, "Register 2 licenses for $36.00")).toBeVisible();
  await changePrice(product.cycle_id, 9900n);
  await button(page, "Register 2 licenses for $36.00").click();
  await expect(refusal(page)).toContainText("this now costs $198.00");
  await expect(shownBalance(page)).toContainText("$1,000.00");
  await inspect(page, "price-changed-import");
  await button(page, "Register 2 licenses for $198.00").click();
  await expect(page.getByText("Finished: 2 done")).toBeVisible({ timeout: 20_000 });
  await expect(shownBalance(page)).toContainText("$802.00");
});
