import type { Page } from "@playwright/test";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

const toasts = (page: Page) => page.getByRole("region", { name: "Notifications" });
const undo = (page: Page) => toasts(page).getByRole("button", { name: "Undo" });

async function editNotes(page: Page, text: string): Promise<void> {
  const facts = page.getByRole("region", { name: "License", exact: true });
  await facts.getByRole("button", { name: "Edit notes" }).click();
  await facts.getByLabel("Notes").fill(text);
  await page.keyboard.press("Control+Enter");
  await expect(facts.getByText(text)).toBeVisible();
}

test("a phone shows one toast at a time; dismissing it shows the one before", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 1" });
  await page.goto(`/licenses/${license.license_id}`);
  await editNotes(page, "Rack 2");
  await expect(undo(page)).toBeVisible();
  await page.getByRole("switch", { name: /^Renew/ }).check();
  await expect(toasts(page).getByText(/^(Notes saved|Auto-renew is on)$/)).toHaveCount(2);
  await expect(undo(page)).toHaveCount(1);
  await inspect(page, "toasts");
  await toasts(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(undo(page)).toHaveCount(1);
  await toasts(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(toasts(page)).toBeHidden();
});

test("on a phone the end of the page can be scrolled above a toast", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 1" });
  await page.goto(`/licenses/${license.license_id}`);
  await editNotes(page, "Rack 2");
  await expect(undo(page)).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const end = await page.getByRole("main").locator(":scope > div > *").last().boundingBox();
  const toast = await toasts(page).boundingBox();
  expect((end?.y ?? Number.NaN) + (end?.height ?? 0)).toBeLessThanOrEqual(toast?.y ?? Number.NaN);
});

test("a toast leaves with the page that it is about; one that offers Undo stays for the object's pages", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 1" });
  const other = await reseller.newLicense();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Renew" }).click();
  await page.getByRole("button", { name: /^Renew for/ }).click();
  const renewed = await toasts(page)
    .getByText(/^Renewed until /)
    .innerText();
  // The page as it was before the renewal cannot change the license.
  await expect(page.getByRole("region", { name: "License", exact: true })).toContainText(renewed.slice(14));
  await editNotes(page, "Rack 2");
  await expect(undo(page)).toBeVisible();

  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }).click();
  await expect(page).toHaveURL("/licenses");
  await expect(undo(page)).toBeVisible();
  await expect(toasts(page).getByText(/^Renewed/)).toHaveCount(0);

  await page.locator(`a[href="/licenses/${other.license_id}"]`).click();
  await expect(page).toHaveURL(`/licenses/${other.license_id}`);
  await expect(toasts(page)).toBeHidden();
});

test("a toast raised by the form that opens a page is read on that page", async ({ page, login, reseller }) => {
  await login(reseller);
  const { name } = await reseller.newProduct({ price: 700n });
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name }).check();
  await page.getByLabel("Address").fill(reseller.newAddress());
  await page.getByRole("button", { name: /^Register/ }).click();
  await page.waitForURL(/\/licenses\/\d+$/);
  await expect(toasts(page)).toContainText("License registered");
});

test("without a toast, the root has no style of its own, which would style the whole page twice", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Rack 1" });
  await page.goto(`/licenses/${license.license_id}`);
  await editNotes(page, "Rack 2");
  const style = () => page.locator("html").getAttribute("style");
  await expect.poll(style).toMatch(/--toast-space: \d+px/);
  await toasts(page).getByRole("button", { name: "Dismiss" }).click();
  await expect.poll(style).toBeFalsy();
  await page.reload();
  await page.getByRole("switch", { name: /^Renew/ }).focus();
  expect(await style()).toBeNull();
});
