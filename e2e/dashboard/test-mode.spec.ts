import { getRuntime } from "#lib/runtime.ts";
import { expect, shownBalance, test } from "../support/dashboard.ts";
import { enterTestMode, registerHere, testBanner } from "../support/test-mode.ts";

test("test mode is entered and left, and shows nothing live", async ({ page, login, reseller }) => {
  await login(reseller);
  const live = await reseller.newLicense();
  await enterTestMode(page);
  await page.goto("/licenses");
  await expect(page.getByText("No licenses yet")).toBeVisible();
  await expect(shownBalance(page)).toContainText("10,000.00");
  await page.goto("/settings/team");
  await expect(page.getByRole("button", { name: "Invite user" })).toHaveCount(0);
  await expect(page.getByText("Robin Example").first()).toBeVisible();
  await page.goto("/wallet?top-up=25");
  await expect(page.getByLabel("Amount in USD")).toHaveValue("25");
  const before = (await shownBalance(page).textContent()) ?? "";
  await page.getByRole("button", { name: "Add play money" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Play money added");
  await expect(shownBalance(page)).not.toHaveText(before);
  await testBanner(page).getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/overview");
  await expect(testBanner(page)).toHaveCount(0);
  await page.goto(`/licenses/${live.license_id}`);
  await expect(page.getByRole("region", { name: "Test clock" })).toHaveCount(0);
});

test("keys that are made in test mode are test keys", async ({ page, login, reseller }) => {
  await login(reseller);
  await enterTestMode(page);
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill("ci");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByText(/lk_test_\w{38}/).first()).toBeVisible();
});

test("pages left in another mode say so", async ({ page, context, login, reseller }) => {
  await login(reseller);
  await page.goto("/licenses");
  const other = await context.newPage();
  await enterTestMode(other);
  await expect(page.getByRole("dialog", { name: "Your session has changed" })).toBeVisible();
  await page.getByRole("button", { name: "Load page again" }).click();
  await expect(testBanner(page)).toBeVisible();
});

test("the server refuses what a page of the other mode sends, whatever the page knows", async ({
  page,
  context,
  login,
  reseller,
}) => {
  await login(reseller);
  const { license_id } = await reseller.newLicense({ product: { price: 700n } });
  const entries = () =>
    getRuntime().db.prisma.ledgerEntry.count({ where: { wallet: { resellerId: reseller.resellerId } } });
  await context.addInitScript(() => {
    BroadcastChannel.prototype.postMessage = () => {};
  });
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Renew" }).click();
  const other = await context.newPage();
  await enterTestMode(other);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Renew/ })
    .click();
  await expect(page.getByRole("dialog", { name: "Your session has changed" })).toBeVisible();
  expect(await entries()).toBe(2);

  await page.goto("/test-mode");
  await other.goto("/test-mode");
  await testBanner(page).getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/overview");
  await other.getByRole("button", { name: "Add play money" }).click();
  await expect(other.getByRole("dialog", { name: "Your session has changed" })).toBeVisible();
  expect(await entries()).toBe(2);
});

test("failures are rehearsed, and a test license is moved to its end", async ({ page, login, reseller }) => {
  test.slow();
  await login(reseller);
  await enterTestMode(page);
  await page.getByRole("button", { name: "Rehearse" }).click();
  await expect(page.getByText("Applies to the next change.")).toBeVisible();
  await registerHere(page, reseller);
  await expect(page.getByText("The provider rejected this address.").first()).toBeVisible();
  await page.getByRole("button", { name: /^Register/ }).click();
  await page.waitForURL(/\/licenses\/\d+$/);
  const clock = page.getByRole("region", { name: "Test clock" });
  await clock.getByRole("button", { name: "To its expiry" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("moved ahead");
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole("main").getByText("Expired").first()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 25_000 });
});

test("a reset starts over", async ({ page, login, reseller }) => {
  await login(reseller);
  await enterTestMode(page);
  await registerHere(page, reseller);
  await page.waitForURL(/\/licenses\/\d+$/);
  await page.goto("/test-mode");
  await page.getByRole("button", { name: "Reset test mode" }).click();
  const loaded = page.waitForEvent("load");
  await page.getByRole("dialog").getByRole("button", { name: "Reset test mode" }).click();
  await loaded;
  await page.goto("/licenses");
  await expect(page.getByText("No licenses yet")).toBeVisible();
});
