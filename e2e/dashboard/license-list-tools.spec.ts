import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, onDesktop, test } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";

const rows = (page: Page) => page.getByRole("table", { name: "Licenses" }).getByRole("row");
const order = (page: Page) => page.getByRole("button", { name: /^Order:/ });

/** Licenses on these addresses, oldest first. */
async function registerOn(reseller: Reseller, addresses: readonly string[]): Promise<void> {
  const { product_id, cycle_id } = await reseller.newProduct({ price: 100n });
  for (const ip_address of addresses) {
    const { status } = await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address });
    expect(status).toBe(200);
  }
}

async function expectColumns(page: Page, names: readonly string[]): Promise<void> {
  const heads = page.getByRole("columnheader");
  await expect(heads).toHaveCount(names.length);
  for (const [index, name] of names.entries()) await expect(heads.nth(index)).toHaveAccessibleName(name);
}

test("licenses are filtered by address and by renewal; each filter is a chip that takes it away again", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await registerOn(reseller, ["198.51.100.9", "198.51.100.10", "203.0.113.5"]);
  await page.goto("/licenses");
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Address").fill("198.51.300");
  await page.getByRole("button", { name: "Show licenses" }).click();
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/its beginning \(203\.0\.113\.\*\)/);
  await page.getByLabel("Address").fill("198.51.100.*");
  await page.getByLabel("Renewal").selectOption({ label: "Renewed by hand" });
  await page.getByRole("button", { name: "Show licenses" }).click();
  await expect(page).toHaveURL(/\/licenses\?address=198\.51\.100\.\*&renewal=manual$/);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText("2 licenses", { exact: true })).toBeVisible();

  const chips = page.getByRole("navigation", { name: "Filter by status" });
  await expect(chips.getByRole("link", { name: "Clear" })).toBeVisible();
  await chips.getByRole("link", { name: "On 198.51.100.*" }).click();
  await expect(rows(page)).toHaveCount(4);
  await expect(chips.getByRole("link", { name: "Clear" })).toHaveCount(0);
  await chips.getByRole("link", { name: "Renewed by hand" }).click();
  await expect(page).toHaveURL(/\/licenses$/);
  await expect(chips.getByRole("link", { name: "Renewed by hand" })).toHaveCount(0);
});

test(
  "an order is chosen from the menu or a column's head, stays with the filter, and is only offered where it serves",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    await registerOn(reseller, ["198.51.100.110", "198.51.100.109", "198.51.100.20"]);
    await page.goto("/licenses");
    await expect(order(page)).toHaveAccessibleName("Order: Newest first");
    await page.getByRole("columnheader", { name: "Server" }).getByRole("link").click();
    await expect(page).toHaveURL(/sort=address$/);
    await expect(page.getByRole("columnheader", { name: "Server" })).toHaveAttribute("aria-sort", "ascending");
    await expect(rows(page).nth(1)).toContainText("198.51.100.20");
    await expect(rows(page).nth(3)).toContainText("198.51.100.110");
    await order(page).click();
    await page.getByRole("menuitemradio", { name: "Highest address first" }).click();
    await expect(rows(page).nth(1)).toContainText("198.51.100.110");
    await page.getByRole("link", { name: "Ends in 30 days" }).click();
    await expect(order(page)).toHaveAccessibleName("Order: Earliest end first");
    await order(page).click();
    await expect(page.getByRole("menuitemradio")).toHaveText(["Earliest end first", "Latest end first"]);
  },
);

test("columns are chosen once and come with the page from then on; the export has them, the filter and the order", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const ip = reseller.newAddress();
  const kept = await reseller.newLicense({ ip, notes: "=1+1" });
  await reseller.newLicense({ notes: "other" });
  await page.goto("/licenses");
  await expectColumns(page, ["License", "Server", "Key", "Status", "Expires"]);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Notes" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Key" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Expires" }).click();
  await expect(page.getByRole("menuitemcheckbox", { name: "Notes" }), "the menu stays open").toBeChecked();
  await expectColumns(page, ["License", "Server", "Status", "Notes"]);
  await page.keyboard.press("Escape");
  const html = await (await page.request.get("/licenses?q=%3D1%2B1")).text();
  expect(html, "the server has rendered the chosen columns").toContain(">Notes<");

  await page.goto("/licenses?q=%3D1%2B1");
  await expect(rows(page)).toHaveCount(2);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^licenses-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), "utf8")).toBe(
    `license_id,product,hostname,ip_address,status,notes\r\nlic_${kept.license_id},${kept.name},,${ip},active,'=1+1\r\n`,
  );
});
