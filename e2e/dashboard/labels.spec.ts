import type { Page } from "@playwright/test";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { expect, onDesktop, test } from "../support/dashboard.ts";
import { adminContext, type Reseller } from "../support/world.ts";

const rows = (page: Page) => page.getByRole("table", { name: "Licenses" }).getByRole("row");
const acme = { customerName: "Acme Hosting GmbH", customerEmail: "billing@acme.example", customerReference: "C-1042" };

async function label(reseller: Reseller, change: Parameters<typeof setLicenseLabels>[1]["change"]): Promise<number> {
  const { license_id } = await reseller.newLicense();
  const licenseId = Number(license_id);
  await setLicenseLabels(adminContext(reseller.resellerId), { licenseId, change });
  return licenseId;
}

test("customer and tags are set on a license's page, found in the list, and undone", async ({
  page,
  login,
  reseller,
}) => {
  const { license_id } = await reseller.newLicense();
  await reseller.newLicense();
  await login(reseller);
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Edit customer" }).click();
  await page.getByLabel("Customer name").fill("Acme Hosting GmbH");
  await page.getByLabel("Email").fill("acme");
  await page.getByRole("button", { name: "Save customer" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/must be an email address/);
  await page.getByLabel("Email").fill("billing@acme.example");
  await page.getByLabel("Email").press("Enter");
  await expect(page.getByRole("link", { name: "Acme Hosting GmbH" })).toBeVisible();
  await page.getByRole("button", { name: "Edit tags" }).click();
  await page.getByLabel("Tags").fill("VIP, eu");
  await page.getByLabel("Tags").press("Enter");
  await expect(page.getByRole("link", { name: "vip" })).toBeVisible();

  await page.getByRole("link", { name: "Acme Hosting GmbH" }).click();
  await expect(page).toHaveURL(/\/licenses\?customer=Acme/);
  await expect(rows(page)).toHaveCount(2);
  await rows(page).last().getByRole("link", { name: "eu" }).click();
  await expect(page).toHaveURL(/tag=eu/);
  const chips = page.getByRole("navigation", { name: "Filter by status" });
  await expect(chips.getByRole("link", { name: "Tag eu" })).toBeVisible();
  await chips.getByRole("link", { name: "Customer Acme Hosting GmbH" }).click();
  await expect(page).toHaveURL(/\/licenses\?tag=eu$/);
  await page.goto("/licenses?q=vip+billing%40acme");
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText("Customer email: billing@acme.example")).toBeVisible();

  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Edit tags" }).click();
  await page.getByLabel("Tags").fill("");
  await page.getByRole("button", { name: "Save tags" }).click();
  await expect(
    page.getByRole("definition").filter({ has: page.getByRole("button", { name: "Edit tags" }) }),
  ).toContainText("None");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("link", { name: "vip" })).toBeVisible();
});

test("one label is edited at a time, and what is typed is kept until it is saved or cancelled", async ({
  page,
  login,
  reseller,
}) => {
  const licenseId = await label(reseller, { ...acme, tags: ["eu"] });
  await login(reseller);
  await page.goto(`/licenses/${licenseId}`);
  await page.getByRole("button", { name: "Edit customer" }).click();
  await expect(page.getByLabel("Customer name")).toBeFocused();
  await page.getByRole("button", { name: "Edit tags" }).click();
  await expect(page.getByLabel("Customer name")).toHaveCount(0);
  await expect(page.getByLabel("Tags")).toBeFocused();
  await page.getByLabel("Tags").fill("eu, vip");
  const reason = "Save or cancel it to edit anything else.";
  await expect(page.getByText(reason)).toBeVisible();
  for (const name of ["Edit customer", "Edit notes"]) {
    const edit = page.getByRole("button", { name });
    await expect(edit).toBeDisabled();
    await edit.focus();
    await expect(edit).toBeFocused();
    await expect(edit).toHaveAccessibleDescription(reason);
    await edit.press("Enter");
    await expect(page.getByLabel("Tags")).toHaveValue("eu, vip");
  }
  await page.getByLabel("Tags").press("Escape");
  await expect(page.getByRole("button", { name: "Edit tags" })).toBeFocused();
  await page.getByRole("button", { name: "Edit notes" }).click();
  await expect(page.getByLabel("Notes")).toBeFocused();
});

test("selected licenses get a customer and tags", onDesktop, async ({ page, login, reseller }) => {
  await label(reseller, { tags: ["old"] });
  await label(reseller, { tags: ["old"] });
  await login(reseller);
  await page.goto("/licenses?tag=old");
  const change = async (name: string, fields: Readonly<Record<string, string>>, confirm: RegExp) => {
    await page.getByRole("checkbox", { name: "Select all of this page" }).check();
    await page.getByRole("button", { name: "More changes" }).click();
    await page.getByRole("menuitem", { name }).click();
    for (const [field, text] of Object.entries(fields)) await page.getByLabel(field).fill(text);
    await page.getByRole("button", { name: confirm }).click();
    await page.waitForURL(/\/jobs\/\d+$/);
    await expect(page.getByText("Finished").first()).toBeVisible();
    await page.goto("/licenses?tag=old");
  };
  await change("Add tags", { "Tags, separated by commas": "New One" }, /^Add tags to 2$/);
  await change("Set customer", { "Customer name": "Acme" }, /^Set the customer of 2$/);
  await expect(page.getByRole("link", { name: "new one" })).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Acme", exact: true })).toHaveCount(2);
});

test("the palette leads to the licenses of a customer", onDesktop, async ({ page, login, reseller }) => {
  await label(reseller, acme);
  await login(reseller);
  await page.goto("/licenses");
  await page.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("combobox", { name: "Search everything" }).fill("acme h");
  await page
    .getByRole("group", { name: "Customers" })
    .getByRole("option", { name: /Acme Hosting GmbH/ })
    .click();
  await expect(page).toHaveURL(/\/licenses\?customer=Acme/);
});
