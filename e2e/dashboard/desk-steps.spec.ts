import { randomBytes } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, focusFirstRow, onDesktop, test } from "../support/dashboard.ts";
import { CURRENCY, newMark, newOffer } from "../support/offers.ts";

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
    key: (page: Page, key: string) => step(() => page.keyboard.press(key))(),
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
      const { product_id, cycle_id } = await reseller.newProduct();
      const cost = { costCurrency: "USD", costPrice: 400n, costSetupFee: 0n };
      await getRuntime().db.prisma.billingCycle.update({ where: { id: cycle_id }, data: cost });
      const ip_address = reseller.newAddress();
      expect((await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address })).status).toBe(200);
      await page.goto("/system");
      const steps = countSteps();
      await steps.press(page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Overview" }));
      for (const term of [/^Revenue, /, /^(Known provider|Provider) cost, /, /^Margin, /]) {
        await expect(page.getByRole("term").filter({ hasText: term })).toBeVisible();
      }
      await expect(page.getByRole("heading", { name: "Providers" })).toBeVisible();
      await expect(page.getByText(/\d checks? pass/)).toBeVisible();
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

    test("sets a reseller's own prices of 21 cycles in three steps", async ({ page, newReseller }) => {
      const { resellerId } = await newReseller({ currency: CURRENCY });
      const mark = newMark();
      const prices = { 1: "10", 3: "28", 12: "100" };
      for (let count = 0; count < 7; count++) await newOffer({ name: `Panel ${mark} ${count}`, prices });
      await page.goto(`/resellers/${resellerId}/prices?q=${mark}`);
      const steps = countSteps();
      await steps.type(page.getByLabel("Change by %"), "-10");
      await steps.press(page.getByRole("button", { name: "Change all" }));
      await steps.press(page.getByRole("button", { name: "Save 21 prices" }));
      await expect(page.getByText("21 prices saved")).toBeVisible();
      expect(steps.count()).toBe(3);
    });
  });

  test.describe(`at ${width} px a reseller's user`, onDesktop, () => {
    test.beforeEach(async ({ page, login, reseller }) => {
      await page.setViewportSize({ width, height: 900 });
      await login(reseller);
    });

    test("fixes a verification that fails from the overview in two steps", async ({ page, reseller }) => {
      const seenIp = reseller.newAddress();
      const { license_id } = await reseller.newLicense();
      await getRuntime().db.prisma.verification.create({
        data: {
          resellerId: reseller.resellerId,
          licenseId: license_id,
          seenIp,
          code: "IP_MISMATCH",
          checkedAt: new Date(Date.now() - 60_000),
        },
      });
      await page.goto("/overview");
      const steps = countSteps();
      await steps.press(page.getByRole("link", { name: "Move license" }));
      await steps.press(page.getByRole("button", { name: `Move 1 to ${seenIp}` }));
      await expect(page.getByText("Finished: 1 done")).toBeVisible();
      expect(steps.count()).toBe(2);
    });

    test("lifts a suspension in one step", async ({ page, reseller }) => {
      const { license_id } = await reseller.newLicense();
      expect((await reseller.dispatch.post("license.suspend", { license_id })).status).toBe(200);
      await page.goto(`/licenses/${license_id}`);
      const steps = countSteps();
      await steps.press(page.getByRole("button", { name: "Lift suspension" }));
      await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Suspension lifted");
      expect(steps.count()).toBe(1);
    });

    test("renews selected rows by keyboard alone in three steps", async ({ page, reseller }) => {
      for (let count = 0; count < 2; count++) await reseller.newLicense({ product: { price: 1450n } });
      await page.goto("/licenses");
      await focusFirstRow(page);
      await page.keyboard.press("x");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await expect(page.getByText("2 selected")).toBeVisible();
      const steps = countSteps();
      await steps.key(page, "Tab");
      await steps.key(page, "Enter");
      await expect(page.getByRole("button", { name: "Renew 2 for $29.00" })).toBeEnabled();
      await steps.key(page, "Enter");
      await expect(page.getByRole("heading", { name: "Renewal of 2 licenses" })).toBeVisible();
      expect(steps.count()).toBe(3);
    });

    test("finds a request by its id in two steps", async ({ page, reseller }) => {
      const { headers } = await reseller.dispatch.get("balance");
      const requestId = String(headers["x-request-id"]);
      // The log is written a moment after the answer.
      await expect(async () => {
        await page.goto(`/developers/requests?request=${requestId}`);
        await expect(page.getByRole("table").getByText(requestId)).toBeVisible({ timeout: 1_000 });
      }).toPass();
      const steps = countSteps();
      await steps.press(page.getByRole("button", { name: "Search and commands" }));
      await steps.type(page.getByRole("combobox", { name: "Search everything" }), requestId);
      await expect(page.getByRole("option", { name: /^GET balance/ })).toBeVisible();
      expect(steps.count()).toBe(2);
    });
  });
}
