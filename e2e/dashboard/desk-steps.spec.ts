import { randomBytes } from "node:crypto";
import type { Locator } from "@playwright/test";
import { expect, onDesktop, test } from "../support/dashboard.ts";

/** Counts what a person does: presses, entries and choices. */
function countSteps() {
  let count = 0;
  const step = <Rest extends unknown[]>(act: (...rest: Rest) => Promise<unknown>) => {
    count += 1;
    return (...rest: Rest) => act(...rest);
  };
  return {
    press: (target: Locator) => step(() => target.click())(),
    type: (target: Locator, text: string) => step(() => target.fill(text))(),
    choose: (target: Locator, value: string) => step(() => target.selectOption(value))(),
    count: () => count,
  };
}

for (const width of [1440, 390]) {
  test.describe(`at ${width} px an admin`, onDesktop, () => {
    test.beforeEach(async ({ page, login }) => {
      await page.setViewportSize({ width, height: 900 });
      await login("admin");
    });

    test("finds any license in two steps", async ({ page, reseller }) => {
      const ip = reseller.newAddress();
      await reseller.newLicense({ ip });
      await page.goto("/");
      const steps = countSteps();
      await steps.press(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }));
      await steps.type(page.getByLabel("Search licenses"), ip);
      const rows = page.getByRole("table", { name: "Licenses" }).getByRole("row").filter({ hasText: ip });
      await expect(rows).toHaveCount(1);
      await expect(page).toHaveURL(/q=/);
      expect(steps.count()).toBeLessThanOrEqual(2);
    });

    test("sees revenue, margin and the state of the system in one step", async ({ page, reseller }) => {
      await reseller.newLicense();
      await page.goto("/system");
      const steps = countSteps();
      await steps.press(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Overview" }));
      for (const term of [/^Revenue, /, /^(Known provider|Provider) cost, /, /^Margin, /]) {
        await expect(page.getByRole("term").filter({ hasText: term })).toBeVisible();
      }
      await expect(page.getByRole("heading", { name: "Providers" })).toBeVisible();
      await expect(page.getByText("Changes at providers")).toBeVisible();
      expect(steps.count()).toBe(1);
    });

    test("creates a reseller with its first user in five steps", async ({ page }) => {
      await page.goto("/");
      const steps = countSteps();
      await steps.press(page.getByRole("link", { name: "Create reseller" }));
      await steps.type(page.getByLabel("Name", { exact: true }), "Aurora Hosting");
      await steps.choose(page.getByLabel("Currency"), "EUR");
      const email = `${randomBytes(6).toString("hex")}@aurora.example`;
      await steps.type(page.getByLabel("Email"), email);
      await steps.press(page.getByRole("button", { name: "Create reseller" }));
      await expect(page.getByRole("heading", { name: "The reseller is created" })).toBeVisible();
      await expect(page.getByText(/\/set-password#/)).toBeVisible();
      expect(steps.count()).toBe(5);
    });
  });
}
