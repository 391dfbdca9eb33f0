import { getRuntime } from "#lib/runtime.ts";
import { findViolations } from "../support/axe.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";

/** A name to find it by, as long as names get. */
async function rename(reseller: Reseller): Promise<string> {
  const name = `Hosting ${reseller.resellerId} ${"with a very long company name ".repeat(3)}`.slice(0, 80).trim();
  await getRuntime().db.prisma.reseller.update({ where: { id: reseller.resellerId }, data: { name } });
  return name;
}

test("an admin filters all resellers' licenses by reseller, and suspends one in their own name", async ({
  page,
  login,
  reseller,
}) => {
  const name = await rename(reseller);
  const ip = reseller.newAddress();
  const { license_id } = await reseller.newLicense({ ip });
  const admin = await login("admin");
  await page.goto(`/licenses?q=${ip}`);
  const row = page.getByRole("table", { name: "Licenses" }).getByRole("row").filter({ hasText: ip });
  await expect(row.getByRole("link", { name })).toHaveAttribute("href", `/resellers/${reseller.resellerId}`);
  await expect(page.getByRole("link", { name: /Export/ })).toBeVisible();
  await page.goto(`/licenses?reseller=${reseller.resellerId}`);
  await expect(page.getByRole("combobox", { name: "Reseller" })).toHaveValue(name);
  await expect(page.getByRole("link", { name: /Export/ })).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole("table", { name: "Licenses" }).getByRole("row").nth(1).getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${license_id}$`));
  await expect(page.getByRole("main").getByRole("link", { name })).toHaveAttribute(
    "href",
    `/resellers/${reseller.resellerId}`,
  );
  await page.getByRole("button", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog", { name: "Suspend this license?" });
  await expect(dialog).toContainText(name);
  await expect(dialog).toContainText("Only administrators can lift the suspension.");
  await dialog.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended by an administrator")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  const operation = await getRuntime().db.prisma.operation.findFirstOrThrow({
    where: { licenseId: license_id, kind: "license_suspend" },
  });
  expect(operation.actor).toBe(`user:${admin.userId}`);
  await page.getByRole("button", { name: "Lift suspension" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift suspension" }).click();
  await expect(page.getByText("Suspended by an administrator")).toHaveCount(0);
});

test("an admin who lifts a reseller's suspension is offered no Undo, which would make it the admin's", async ({
  page,
  login,
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  await getRuntime().db.prisma.license.updateMany({
    where: { id: license_id },
    data: { suspendedAt: new Date(), suspendedBy: "reseller", suspensionReason: "Payment overdue" },
  });
  await login("admin");
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Lift suspension" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift suspension" }).click();
  const told = page.getByRole("region", { name: "Notifications" });
  await expect(told.getByText("Suspension lifted")).toBeVisible();
  await expect(told.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

test("an admin renews a license from the reseller's wallet", async ({ page, login, reseller }) => {
  const name = await rename(reseller);
  const { license_id } = await reseller.newLicense({ product: { price: 1450n } });
  await login("admin");
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Renew", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Renew this license?" });
  await expect(dialog).toContainText(name);
  await dialog.getByRole("button", { name: "Renew for $14.50" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Available balance: $971.00.");
});

test("what only the reseller has is reached by acting as it", async ({ page, login, reseller }) => {
  const ip = reseller.newAddress();
  const { license_id } = await reseller.newLicense({ ip });
  await login("admin");
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: /^Diagnostics ?, acting as/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("To open that page, act as the reseller");
  await dialog.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page).toHaveURL(new RegExp(`/diagnostics/${ip}$`));
});

test("support sees all licenses and changes none", async ({ page, context, apiUrl, reseller }) => {
  const { license_id } = await reseller.newLicense();
  await signInAs(context, await newUser(null, "Sam Support", "support"), apiUrl);
  await page.goto(`/licenses/${license_id}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const change of ["Suspend", "Renew", "Change IP", "Edit customer", "Edit tags", "Edit notes"]) {
    await expect(page.getByRole("button", { name: change, exact: true })).toHaveCount(0);
  }
});
