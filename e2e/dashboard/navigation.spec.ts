import { expect, onDesktop, test } from "../support/dashboard.ts";
import { addWaitingTopUps } from "../support/waiting.ts";

const MANY = 1200;

test(
  "however much waits, the navigation has its labels whole, and its links are named with the exact number",
  onDesktop,
  async ({ page, login, reseller }) => {
    await addWaitingTopUps(reseller.resellerId, MANY);
    await login("admin");
    await page.goto("/top-ups");
    const navigation = page.getByRole("navigation", { name: "Main" });
    const link = navigation.getByRole("link", { name: /^Top-ups 1,\d{3} waiting$/ });
    await expect(link.getByText("99+")).toBeVisible();
    for (const name of ["Top-ups", "Reconciliation"]) {
      const label = navigation.getByText(name, { exact: true });
      expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth), name).toBe(0);
    }
  },
);
