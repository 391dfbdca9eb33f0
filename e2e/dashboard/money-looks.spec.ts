import { getRuntime } from "#lib/runtime.ts";
import { setBundleAutoRenew } from "#lib/services/bundle/set-auto-renew.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { decideTopUp } from "#lib/services/wallet/decide-top-up.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { adminContext, type Reseller } from "../support/world.ts";

/** High enough for all of it: what is half under the sticky header would count as too small to be pressed. */
const WHOLE_WALLET = 2400;

/** Of A4 between its margins. */
const PAPER_WIDTH = 680;

const products = ["Control Panel", "Mail Gateway", "Backup Agent"];

/** Licenses and a bundle that renew by themselves beyond the balance, requests in every state. Returns the bundle. */
async function furnishMoney(reseller: Reseller): Promise<number> {
  const { prisma } = getRuntime().db;
  const ctx = adminContext(reseller.resellerId);
  await prisma.reseller.update({ where: { id: reseller.resellerId }, data: { name: "Northwind Hosting" } });
  for (const [index, name] of products.entries()) {
    const license = await reseller.newLicense({ product: { price: BigInt(950 + 500 * index) } });
    await prisma.product.update({ where: { id: license.product_id }, data: { name } });
    const where = { id: license.license_id };
    await prisma.license.updateMany({ where, data: { hostname: `web${index + 1}.northwind.example` } });
    await setLicenseAutoRenew(ctx, { licenseId: license.license_id, on: true });
  }
  const offer = await reseller.newBundle([{}, {}], { price: 2990n });
  const description = "Everything that a shared hosting server needs.";
  await prisma.bundle.update({ where: { id: offer.bundle_id }, data: { name: "Hosting Suite", description } });
  for (const [index, { product_id }] of offer.products.entries()) {
    await prisma.product.update({ where: { id: product_id }, data: { name: products[index] ?? "" } });
  }
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: reseller.newAddress(),
  });
  const bundleInstanceId = Number(body.data.bundle_instance_id);
  await setBundleAutoRenew(ctx, { bundleInstanceId, on: true });
  const ask = (amount: string, reference: string) =>
    requestTopUp(ctx, { amount, reference, method: "bank_transfer", note: "" });
  const [approved, declined] = [await ask("40", "TR-2041"), await ask("75", "TR-2042")];
  await decideTopUp(ctx, { requestId: approved.id, decision: "approve" });
  await decideTopUp(ctx, { requestId: declined.id, decision: "decline", note: "No such payment has arrived." });
  await ask("150", "TR-2043");
  await reseller.newLicense({ ip: "192.0.2.20", product: { price: 1100n } });
  return bundleInstanceId;
}

test("the pages of the wallet are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "120" });
  await furnishMoney(reseller);
  await login(reseller);
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width, height: WHOLE_WALLET });
  await page.goto("/wallet");
  await expect(page.getByText("Covers you until")).toBeVisible();
  await page.getByText("Calendar of the next 90 days").click();
  await inspect(page, "money-wallet");
  await page.setViewportSize({ width, height });
  await page.goto("/wallet?top-up=35.00");
  await inspect(page, "money-request");
  await page.goto("/wallet/statement");
  await expect(page.getByRole("table", { name: "Entries" })).toContainText("Balance so far");
  await inspect(page, "money-statement");
  await page.setViewportSize({ width: PAPER_WIDTH, height });
  await page.emulateMedia({ media: "print" });
  await inspect(page, "money-statement-print");
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width, height });
  await page.goto("/wallet/statement?from=2020-01-01&to=2020-01-31");
  await inspect(page, "money-statement-empty");
  await page.goto("/wallet/top-ups");
  await inspect(page, "money-top-ups");
});

test("the pages of bundles are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "120" });
  const bundle = await furnishMoney(reseller);
  await login(reseller);
  await page.goto("/bundles");
  await inspect(page, "money-bundles");
  await page.getByRole("checkbox", { name: `Select bundle ${bundle}` }).check();
  await inspect(page, "money-bundles-selected");
  await page.getByRole("region", { name: "Selected bundles" }).getByRole("button", { name: "Renew" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Renew 1 for $29.90" })).toBeVisible();
  await inspect(page, "money-bundles-renew");
  await page.goto("/bundles/new");
  await inspect(page, "money-bundle-new");
  await page.goto(`/bundles/${bundle}`);
  await inspect(page, "money-bundle");
  await page.getByRole("button", { name: "Change IP" }).click();
  await page.getByLabel("New address").fill("203.0.113.7");
  await inspect(page, "money-bundle-move");
});

test("the admin's pages of money are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "120" });
  await furnishMoney(reseller);
  await login("admin");
  await page.goto("/top-ups");
  await inspect(page, "money-inbox");
  await page.getByRole("button", { name: "Credit $150.00 of Northwind Hosting" }).first().click();
  await inspect(page, "money-approve");
  await newReseller({ currency: "EUR" });
  await page.goto("/top-ups/settings");
  await page.getByRole("region", { name: "EUR" }).getByText("Confirm above").click();
  await inspect(page, "money-payment-settings");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await inspect(page, "money-reseller");
  await page.goto(`/resellers/${reseller.resellerId}/statement`);
  await inspect(page, "money-reseller-statement");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page
    .getByRole("button", { name: /^Refund/ })
    .first()
    .click();
  await inspect(page, "money-refund");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Adjust balance" }).click();
  await inspect(page, "money-adjust");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Amount in USD").fill("25,000.00");
  await dialog.getByLabel("Reason").fill("Moved from another account.");
  await dialog.getByRole("button", { name: "Add $25,000.00" }).click();
  await expect(dialog.getByRole("checkbox", { name: "$25,000.00 is intended" })).toBeVisible();
  await inspect(page, "money-adjust-large");
});
