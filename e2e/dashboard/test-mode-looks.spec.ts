import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { enterTestMode, registerHere, testBanner } from "../support/test-mode.ts";

test("the pages of test mode are accessible and fit", async ({ page, login, reseller }) => {
  test.slow();
  await login(reseller);
  await page.goto("/test-mode");
  await inspect(page, "test-mode-live");
  await enterTestMode(page);
  await inspect(page, "test-mode");
  await registerHere(page, reseller);
  await page.waitForURL(/\/licenses\/\d+$/);
  await inspect(page, "test-mode-license");
  await page.goto("/wallet");
  await inspect(page, "test-mode-wallet");
});

test("an admin who acts as a reseller sees both banners", async ({ page, login, reseller }) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Act as" }).click();
  await page.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page.getByRole("region", { name: "Acting as a reseller" })).toBeVisible();
  await enterTestMode(page);
  await page.goto("/licenses");
  await inspect(page, "test-mode-acting");
  await page.getByRole("region", { name: "Acting as a reseller" }).getByRole("button", { name: "Stop" }).click();
  await page.waitForURL(`**/resellers/${reseller.resellerId}`);
  await page.getByRole("button", { name: "Act as" }).click();
  await page.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page.getByRole("region", { name: "Acting as a reseller" })).toBeVisible();
  await expect(testBanner(page)).toHaveCount(0);
});
