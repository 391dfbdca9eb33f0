import { findViolations } from "../support/axe.ts";
import { expect, test } from "../support/dashboard.ts";
import { delayPagesAfterAnswers } from "../support/slow-line.ts";

test("a page that takes its time has a skeleton stand in for it, and leaves it for the page", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/licenses");
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/wallet(\?|$)/, async (route) => {
    await held;
    await route.continue();
  });
  const skeleton = page.getByRole("status").filter({ hasText: "Loading the page" });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Wallet" }).click();
  await expect(skeleton).toBeVisible();
  await expect(page.getByRole("heading", { name: "Licenses", level: 1 })).toBeHidden();
  expect(await findViolations(page)).toEqual([]);

  answer();
  await expect(page.getByRole("heading", { name: "Wallet", level: 1 })).toBeVisible();
  await expect(skeleton).toBeHidden();
});

test("another filter of the same list, and going back, show no skeleton", async ({ page, login, reseller }) => {
  await login(reseller);
  await reseller.newLicense();
  await page.goto("/licenses");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByRole("heading", { name: "Wallet", level: 1 })).toBeVisible();
  await page.route(/_rsc=/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await page.evaluate(() => {
    const seen: string[] = [];
    new MutationObserver(() => {
      if (document.body.textContent?.includes("Loading the page")) seen.push("skeleton");
      document.body.dataset.skeletons = String(seen.length);
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Licenses", level: 1 })).toBeVisible();
  await page
    .getByRole("link", { name: /^Suspended/ })
    .first()
    .click();
  await expect(page).toHaveURL(/status=suspended/);
  await expect(page.locator("body")).toHaveAttribute("data-skeletons", "0");
});

test("on a slow line, what is changed twice in a row is not taken for another user's change", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1800n, pricePerCore: 650n } });
  await page.addInitScript(delayPagesAfterAnswers, 1_000);
  await page.goto(`/licenses/${license.license_id}`);
  const dialog = page.getByRole("dialog", { name: "Change the cores?" });
  for (const [cores, change] of [
    ["3", "Change for $13.00"],
    ["2", "Change and get $6.49"],
  ] as const) {
    await page.getByRole("button", { name: "Change cores" }).click();
    await dialog.getByLabel("Cores").fill(cores);
    await dialog.getByRole("button", { name: change }).click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText(`Now ${cores} cores`);
  }
  await expect(page.getByRole("region", { name: "License", exact: true })).toContainText("Cores2");
});

test("on a line that falls silent after an answer, its form is done without the page", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1800n, pricePerCore: 650n } });
  await page.addInitScript(delayPagesAfterAnswers, 3_600_000);
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Change cores" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the cores?" });
  await dialog.getByLabel("Cores").fill("3");
  await dialog.getByRole("button", { name: "Change for $13.00" }).click();
  await expect(dialog).toBeHidden({ timeout: 20_000 });
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Now 3 cores");
});
