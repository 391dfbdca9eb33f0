import { expect, onDesktop, test } from "../support/dashboard.ts";

test(
  "printed, the wallet is black on white, without the shell and what only a screen can press",
  onDesktop,
  async ({ page, login, reseller }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await login(reseller);
    await page.goto("/wallet");
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.getByRole("link", { name: "Statement" })).toBeVisible();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.getByRole("navigation", { name: "Main" }).first()).toBeHidden();
    await expect(page.getByRole("link", { name: "Statement" })).toBeHidden();
    await expect(page.getByRole("table", { name: /Ledger/ })).toBeVisible();
    const colors = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return { backgroundColor, color };
    });
    expect(colors).toEqual({ backgroundColor: "rgb(255, 255, 255)", color: "rgb(0, 0, 0)" });
  },
);
