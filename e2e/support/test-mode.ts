import type { Page } from "@playwright/test";
import { expect, untilHydrated } from "./dashboard.ts";
import type { Reseller } from "./world.ts";

export const testBanner = (page: Page) => page.getByRole("region", { name: "Test mode" });

export async function enterTestMode(page: Page): Promise<void> {
  await page.goto("/test-mode");
  await untilHydrated(page);
  await page.getByRole("button", { name: "Switch to test mode" }).click();
  await expect(testBanner(page)).toBeVisible();
  await untilHydrated(page);
}

/** Buys a license of a product that a live reseller offers. */
export async function registerHere(page: Page, reseller: Reseller): Promise<void> {
  const { name } = await reseller.newProduct({ price: 700n });
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name }).check();
  await page.getByLabel("Address").fill(reseller.newAddress());
  await page.getByRole("button", { name: /^Register/ }).click();
}
