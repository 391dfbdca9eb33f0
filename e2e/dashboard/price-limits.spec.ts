import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { changePrice } from "../support/catalog.ts";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import type { Reseller } from "../support/world.ts";

/** A license that renews by itself, registered at $18 and at another price now. */
async function newRisenLicense(reseller: Reseller, price: bigint) {
  const license = await reseller.newLicense({ product: { price: 1800n } });
  await getRuntime().db.prisma.license.updateMany({ where: { id: license.license_id }, data: { autoRenew: true } });
  await changePrice(license.cycle_id, price);
  return license;
}

const limits = (page: Page) => page.getByRole("region", { name: "Price increases" });

test("a reseller limits what automatic renewals may charge, sees what is blocked, and accepts the price by hand", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  await login(reseller);
  const blocked = await newRisenLicense(reseller, 9900n);
  const risen = await newRisenLicense(reseller, 1900n);

  await page.goto("/wallet");
  await expect(page.getByRole("heading", { name: "2 renewals cost more" })).toBeVisible();
  await limits(page).getByText("7 days' notice, no limit").click();
  await limits(page).getByLabel("Notice in days").fill("soon");
  await limits(page).getByRole("button", { name: "Save" }).click();
  await expect(limits(page).getByLabel("Notice in days")).toHaveAccessibleDescription(/must be a whole number/);
  await limits(page).getByLabel("Notice in days").fill("7");
  await limits(page).getByLabel("Highest increase in %").fill("20");
  await limits(page).getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Limits saved")).toBeVisible();
  await expect(limits(page).getByText("7 days' notice, at most 20%")).toBeVisible();
  await expect(page.getByText("Blocked: above your limit")).toHaveCount(1);
  await expect(page.locator("#risen-prices")).toContainText("$18.00 → $99.00");
  await inspect(page, "price-limits-wallet");

  await page.goto("/overview");
  await expect(page.getByText(/ will cost \$99\.00, up from \$18\.00, above your limits$/)).toBeVisible();
  await expect(page.getByText(/ will cost \$19\.00, up from \$18\.00$/)).toBeVisible();
  await inspect(page, "price-limits-overview");

  await page.goto(`/licenses/${risen.license_id}`);
  await expect(page.getByRole("region", { name: "Automatic renewal" })).toContainText(
    "at the price of that day, today $19.00 per month, up from $18.00, if the balance covers it.",
  );
  await page.goto(`/licenses/${blocked.license_id}`);
  const automatic = page.getByRole("region", { name: "Automatic renewal" });
  await expect(automatic).toContainText("Blocked: it now costs $99.00 per month, up from $18.00.");
  await inspect(page, "price-limits-license");
  await automatic.getByRole("link", { name: "change your limits" }).click();
  await expect(limits(page).getByLabel("Notice in days")).toBeInViewport();
  await page.goBack();
  await page.getByRole("button", { name: "Renew", exact: true }).click();
  await page.getByRole("button", { name: "Renew for $99.00" }).click();
  await expect(shownBalance(page)).toContainText("$865.00");
  await expect(automatic).toContainText("at the price of that day, today $99.00 per month");
});

test(
  "switching automatic renewal on accepts the price that is shown, and no other",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const license = await reseller.newLicense({ product: { price: 1800n } });
    await page.goto(`/licenses/${license.license_id}`);
    const automatic = page.getByRole("region", { name: "Automatic renewal" });
    await changePrice(license.cycle_id, 9900n);
    await automatic.getByRole("switch").click();
    await expect(automatic.getByRole("alert")).toContainText("The price has changed: this now costs $99.00.");
    await expect(automatic.getByRole("switch")).not.toBeChecked();
    await expect(automatic).toContainText("With auto-renew, it renews on");
    await expect(automatic).toContainText("for $99.00 per month");
    await automatic.getByRole("switch").check();
    await expect(automatic).toContainText("today $99.00 per month");
    const where = { id: license.license_id };
    const readStored = () => getRuntime().db.prisma.license.findFirstOrThrow({ where });
    await expect.poll(readStored).toMatchObject({ autoRenew: true, agreedRenewalPrice: 9900n });
  },
);

test("undoing a switch of automatic renewal agrees to no price", onDesktop, async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await newRisenLicense(reseller, 9900n);
  const announced = { announcedRenewalPrice: 9900n, renewalPriceAnnouncedAt: new Date("2026-01-01") };
  const where = { id: license.license_id };
  await getRuntime().db.prisma.license.updateMany({ where, data: announced });
  await page.goto(`/licenses/${license.license_id}`);
  const automatic = page.getByRole("region", { name: "Automatic renewal" });
  const told = page.getByRole("region", { name: "Notifications" });
  const readStored = () => getRuntime().db.prisma.license.findFirstOrThrow({ where });
  await automatic.getByRole("switch").uncheck();
  await told.getByRole("button", { name: "Undo" }).click();
  await expect(told.getByText("Auto-renew is on, as before")).toBeVisible();
  await expect(automatic.getByRole("switch")).toBeChecked();
  expect(await readStored()).toMatchObject({ autoRenew: true, agreedRenewalPrice: 1800n, ...announced });

  await automatic.getByRole("switch").uncheck();
  await expect(told.getByText("Auto-renew is off")).toBeVisible();
  await automatic.getByRole("switch").check();
  await expect(told.getByText("Auto-renew is on")).toBeVisible();
  await expect(told.getByRole("button", { name: "Undo" })).toHaveCount(0);
  expect(await readStored()).toMatchObject({ agreedRenewalPrice: 9900n, announcedRenewalPrice: null });
});

test(
  "a page that is refreshed after a switch of automatic renewal shows what is stored",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { license_id } = await reseller.newLicense();
    await page.goto(`/licenses/${license_id}`);
    const renews = page.getByRole("switch", { name: /Renew before it expires/ });
    await renews.check();
    await expect(page.getByText("Auto-renew is on")).toBeVisible();
    await page.getByRole("button", { name: "Edit notes" }).click();
    await page.getByLabel("Notes").fill("Rack 13");
    // What the switch has refreshed has arrived.
    await page.waitForLoadState("networkidle");
    const changed = { where: { id: license_id }, data: { autoRenew: false } };
    await getRuntime().db.prisma.license.updateMany(changed);
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("This license has changed since you opened this page.")).toBeVisible();
    await expect(renews).not.toBeChecked();
  },
);
