import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { systemContext } from "../support/world.ts";

test("the wallet shows what can be spent, and each movement with its license and the balance after it", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await page.goto("/wallet");
  await expect(page).toHaveTitle("Wallet · License Desk");
  await expect(page.getByRole("definition").filter({ hasText: "$985.50" }).first()).toBeVisible();
  const rows = page.getByRole("table", { name: "Ledger" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(
    new RegExp(`Registration lic_${license.license_id}${license.name} on [\\d.]+`),
  );
  await expect(rows.nth(1)).toContainText("−$14.50");
  await expect(rows.nth(1)).toContainText("$985.50");
  await expect(rows.nth(2)).toContainText("Top-up");
  await expect(rows.nth(2)).toContainText("+$1,000.00");
  await rows.nth(1).getByRole("link", { name: license.name }).click();
  await expect(page.getByRole("heading", { name: license.name })).toBeVisible();
});

test("an empty wallet says what will be listed", async ({ page, login, newReseller }) => {
  await login(await newReseller({ funds: "0", currency: "JPY" }));
  await page.goto("/wallet");
  await expect(page.getByText("No entries yet")).toBeVisible();
  await expect(page.getByText("¥0").first()).toBeVisible();
});

test(
  "money that arrives meanwhile is shown by the next page, in its form and in the header",
  onDesktop,
  async ({ page, login, newReseller }) => {
    const reseller = await newReseller({ funds: "10" });
    await login(reseller);
    await reseller.newProduct({ price: 1000n });
    await page.goto("/licenses");
    await expect(shownBalance(page)).toContainText("$10.00");
    await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "40", note: "" });
    await page.getByRole("link", { name: "Register your first license" }).click();
    await expect(page.getByRole("region", { name: "Summary" })).toContainText("Available balance now$50.00");
    await expect(shownBalance(page)).toContainText("$50.00");
  },
);

test("money that arrives meanwhile is shown when the user comes back to the tab, by the page and its header", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "10" });
  await login(reseller);
  await page.clock.install();
  for (const [path, funds, before, after] of [
    ["/wallet", "40", "$10.00", "$50.00"],
    ["/overview", "50", "$50.00", "$100.00"],
  ] as const) {
    await page.goto(path);
    const shown = page.getByRole("main").getByText(before, { exact: true }).first();
    await expect(shown).toBeVisible();
    await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: funds, note: "" });
    // What listens to the tab may start after the controls work, on a busy machine: the user comes back again.
    await expect(async () => {
      await page.clock.fastForward("01:00");
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
      await expect(shownBalance(page)).toContainText(after, { timeout: 3_000 });
    }).toPass();
    await expect(page.getByRole("main").getByText(after, { exact: true }).first()).toBeVisible();
  }
});

test("the ledger's pages lead forth and back", async ({ page, login, newReseller }) => {
  const reseller = await newReseller({ funds: "0" });
  await login(reseller);
  for (let number = 1; number <= 30; number++) {
    await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "1", note: `payment ${number}` });
  }
  await page.goto("/wallet");
  await expect(page.getByText("payment 30")).toBeVisible();
  await expect(page.getByText("1–25 of 30")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("payment 5", { exact: true })).toBeVisible();
  await expect(page.getByText("26–30 of 30")).toBeVisible();
  await page.getByRole("link", { name: "Previous" }).click();
  await expect(page.getByText("payment 30")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Previous" })).toHaveCount(0);
});

test("another reseller's movements are not in it", onDesktop, async ({ page, login, reseller, newReseller }) => {
  const other = await newReseller();
  const license = await other.newLicense();
  await login(reseller);
  await page.goto("/wallet");
  await expect(page.getByRole("table", { name: "Ledger" }).getByRole("row")).toHaveCount(2);
  await expect(page.getByText(`lic_${license.license_id}`)).toHaveCount(0);
});
