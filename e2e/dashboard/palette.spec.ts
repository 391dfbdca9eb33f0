import { findViolations } from "../support/axe.ts";
import { expect, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("Ctrl K opens it; what is typed finds licenses, pages and actions; arrows choose, Enter goes", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "Invoice 2027-113" });
  await page.goto("/licenses");
  await expect(shownBalance(page)).toBeVisible();
  const box = page.getByRole("combobox", { name: "Search licenses, pages and actions" });
  await expect(async () => {
    await page.keyboard.press("Control+k");
    await expect(box).toBeFocused({ timeout: 1_000 });
  }, "listens once the page has its script").toPass();
  const options = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  const active = page.getByRole("listbox", { name: "Results" }).getByRole("option", { selected: true });
  await expect(active).toHaveText("Register a license");
  await page.keyboard.press("ArrowDown");
  await expect(active).toHaveText("Import licenses from CSV");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect(active).toHaveText("Webhook log");
  await expect(box).toHaveAttribute("aria-activedescendant", (await active.getAttribute("id")) ?? "");
  await inspect(page, "palette");

  await box.fill("api");
  await expect(options).toHaveText([/Create an API key/, /API keys/]);
  await box.fill("invoice 2027");
  await expect(page.getByRole("status").filter({ hasText: "1 result" })).toBeVisible();
  await expect(active).toContainText(String(license.license_key));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.license_id}$`));
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.getByRole("button", { name: "Search and commands" }).click();
  await expect(page.getByRole("group", { name: "Recent" }).getByRole("option")).toContainText([license.name]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Search and commands" })).toBeFocused();
});

test("what is found nowhere says so, and another reseller's licenses are not found", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const other = await (await newReseller()).newLicense({ notes: "secret order" });
  await login(reseller);
  await page.goto("/licenses");
  await page.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("combobox").last().fill(String(other.license_key));
  await expect(page.getByText("Nothing found.")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
});

test("an admin goes to pages with it", async ({ page, login }) => {
  await login("admin");
  await page.goto("/resellers");
  await page.getByRole("button", { name: "Search and commands" }).click();
  await page.getByRole("option", { name: "Top-ups" }).click();
  await expect(page).toHaveURL(/\/top-ups$/);
});
