import { findViolations } from "../support/axe.ts";
import { expect, test } from "../support/dashboard.ts";

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
