import { type Currency, formatMoney } from "#lib/domain/money.ts";
import { getRuntime } from "#lib/runtime.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { getWalletRunway } from "#lib/services/wallet/runway.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { adminContext, type Reseller } from "../support/world.ts";

const dollars = (minor: bigint) => formatMoney(minor, "USD" as Currency);

/** A license that renews by itself every month. */
async function renewing(reseller: Reseller, price: bigint) {
  const license = await reseller.newLicense({ product: { price } });
  await setLicenseAutoRenew(adminContext(reseller.resellerId), { licenseId: license.license_id, on: true });
  return license;
}

test("without anything that renews by itself, the runway says how there comes to be one", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await reseller.newLicense();
  await page.goto("/wallet");
  const runway = page.getByRole("region", { name: "Runway" });
  await expect(runway).toContainText("No automatic renewals in the next 90 days");
  await runway.getByRole("link", { name: "Include manual renewals" }).click();
  await expect(page).toHaveURL(/runway=all/);
  await expect(runway).toContainText("Covers the next 90 days");
  await expect(runway.getByText("Covered")).toHaveCount(3);
});

test("the runway says until when the balance lasts, what lapses, and what it takes; its button asks for just that", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "20" });
  const license = await renewing(reseller, 1450n);
  await login(reseller);
  const { topUpNeeded } = await getWalletRunway(adminContext(reseller.resellerId));
  await page.goto("/wallet");
  const runway = page.getByRole("region", { name: "Runway" });
  await expect(runway).toContainText("Covers you until");
  await expect(runway).toContainText("One lapses unless you top up.");
  await expect(runway.getByRole("link", { name: license.name })).toHaveAttribute(
    "href",
    `/licenses/${license.license_id}`,
  );
  await runway.getByText("Calendar of the next 90 days").click();
  await expect(runway.getByRole("listitem").filter({ hasText: "Lapses" })).toContainText("$14.50");
  await runway.getByRole("button", { name: `Top up ${dollars(topUpNeeded.days90)}` }).click();
  const dialog = page.getByRole("dialog", { name: "Request a top-up" });
  await expect(dialog.getByLabel("Amount in USD")).toHaveValue(dollars(topUpNeeded.days90).slice(1));
  await expect(dialog).toContainText("Available balance now$5.50");
});

test("a renewal that is no longer sold asks for another cycle, not for money", async ({ page, login, reseller }) => {
  const license = await renewing(reseller, 1450n);
  await getRuntime().db.prisma.price.deleteMany({ where: { cycleId: license.cycle_id } });
  await login(reseller);
  await page.goto("/overview");
  await expect(page.getByText("A coming renewal is no longer sold")).toBeVisible();
  await expect(page.getByText("The balance cannot pay")).toHaveCount(0);
  await inspect(page, "overview-unsold");
  await page.goto("/wallet");
  const runway = page.getByRole("region", { name: "Runway" });
  await expect(runway).toContainText("No longer sold: renew manually and choose another cycle.");
  await expect(runway).toContainText("The one below expires unless you act.");
  await expect(runway).not.toContainText("more than the balance");
  await inspect(page, "wallet-unsold");
  await runway.getByRole("link", { name: "Include manual renewals" }).click();
  await expect(runway.getByRole("link", { name: "Only automatic renewals" })).toBeVisible();
  await expect(runway).not.toContainText("Nothing expires");
});
