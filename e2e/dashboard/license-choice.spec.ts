import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";

const licenseField = (page: Page) => page.getByRole("combobox", { name: "License" });
const options = (page: Page) => page.getByRole("listbox", { name: "licenses" }).getByRole("option");

test("the license of a key is found by its words, chosen by keyboard or pointer, and described", async ({
  page,
  login,
  reseller,
}) => {
  const [first, second] = [await reseller.newLicense(), await reseller.newLicense()];
  await getRuntime().db.prisma.license.updateMany({
    where: { id: Number(second.license_id) },
    data: { customerName: "Harbor Hosting" },
  });
  await login(reseller);
  await page.goto(`/api-keys/new?preset=agent&license=lic_${first.license_id}`);
  const field = licenseField(page);
  await expect(field).toHaveAccessibleDescription(new RegExp(`lic_${first.license_id} · Active`));
  await field.fill("harbor");
  await field.press("Enter");
  await expect(field).toHaveValue(`lic_${second.license_id}`);
  await expect(field).toHaveAccessibleDescription(/Active.*Harbor Hosting/);
  await expect(options(page)).toHaveCount(0);

  await field.fill("nothing like it");
  await expect(page.getByText("Nothing found. Try an address")).toBeVisible();
  await field.press("Enter");
  await expect(field).toHaveAccessibleDescription(/a license id such as lic_12/);
  await field.fill("");
  await page
    .getByRole("option")
    .filter({ hasText: `lic_${first.license_id}` })
    .click();
  await expect(field).toHaveValue(`lic_${first.license_id}`);
  await expect(field).not.toHaveAccessibleDescription(/a license id such as/);
  await field.press("ArrowDown");
  await expect(options(page)).toHaveCount(1);
  await field.press("ArrowDown");
  await expect(options(page)).toHaveAttribute("aria-selected", "true");
  await field.press("Escape");
  await expect(options(page)).toHaveCount(0);
  await expect(field).toHaveValue(`lic_${first.license_id}`);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText(`lic_${first.license_id}`);
});

test("an admin finds the licenses of the reseller whose key it is", async ({ page, login, reseller, newReseller }) => {
  const other = await newReseller();
  const [own, foreign] = [await reseller.newLicense(), await other.newLicense()];
  await login("admin");
  await page.goto(`/resellers/${other.resellerId}/api-keys/new?preset=agent`);
  await licenseField(page).click();
  await expect(options(page)).toHaveText([new RegExp(`lic_${foreign.license_id} `)]);
  await page.goto(`/resellers/${reseller.resellerId}/api-keys/new?preset=agent`);
  await licenseField(page).click();
  await expect(options(page)).toHaveText([new RegExp(`lic_${own.license_id} `)]);
});

test("suggestions leave the field in view, however little of the page a keyboard leaves", async ({
  page,
  login,
  reseller,
}) => {
  for (let count = 0; count < 6; count++) await reseller.newLicense();
  await login(reseller);
  await page.setViewportSize({ width: 390, height: 400 });
  await page.goto("/api-keys/new?preset=agent");
  const field = licenseField(page);
  await field.evaluate((input) => input.scrollIntoView({ block: "center" }));
  await field.click();
  await expect(options(page)).toHaveCount(6);
  const box = await field.boundingBox();
  const list = await page.locator(":popover-open").boundingBox();
  const [fieldTop, fieldBottom] = [box?.y ?? 0, (box?.y ?? 0) + (box?.height ?? 0)];
  const [listTop, listBottom] = [list?.y ?? 0, (list?.y ?? 0) + (list?.height ?? 0)];
  expect(listTop >= fieldBottom || listBottom <= fieldTop).toBe(true);
  expect(listTop).toBeGreaterThanOrEqual(0);
  expect(listBottom).toBeLessThanOrEqual(400);
});
