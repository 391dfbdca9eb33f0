import { randomBytes } from "node:crypto";
import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";
import { furnishInbox } from "../support/inbox.ts";
import type { Reseller } from "../support/world.ts";

/** Under a name to find it by, among those of all other tests. */
async function rename({ resellerId }: Reseller, name: string): Promise<string> {
  const unique = `${name} ${randomBytes(4).toString("hex")}`;
  await getRuntime().db.prisma.reseller.update({ where: { id: resellerId }, data: { name: unique } });
  return unique;
}

test("the inbox is narrowed to a reseller by typing a part of its name, and widened again", async ({
  page,
  login,
  reseller,
}) => {
  const name = await rename(reseller, "Harbor Hosting");
  await furnishInbox(reseller);
  await login("admin");
  await page.goto("/reconciliation");
  const choice = page.getByRole("combobox", { name: "Reseller" });
  const part = name.slice("Harbor ".length);
  await choice.pressSequentially(part);
  await expect(page.getByRole("option", { name })).toHaveAttribute("aria-selected", "true");
  await choice.press("Enter");
  await expect(page).toHaveURL(`/reconciliation?reseller=${reseller.resellerId}`);
  await expect(page.getByRole("table", { name: "Cases" }).getByRole("row")).toHaveCount(4);
  await expect(choice).toHaveValue(name);
  await expect(choice).toBeFocused();

  await choice.press("x");
  await expect(choice).toHaveValue("x");
  await choice.press("Escape");
  await expect(choice).toHaveValue(name);
  await choice.fill(`${part} and nothing like it`);
  await expect(page.getByText("Nothing found. Try a part of a name")).toBeVisible();
  await choice.fill("");
  await choice.press("Enter");
  await expect(page).toHaveURL("/reconciliation");
});

test("a reseller that a list's address names is shown by its name, which leads to its page", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const name = await rename(reseller, "Lakeside Servers");
  const other = await newReseller();
  const otherName = await rename(other, "Ridge Metal");
  await login("admin");
  await page.goto(`/audit?reseller=${reseller.resellerId}&action=reseller.create`);
  const choice = page.getByRole("combobox", { name: "Reseller" });
  await expect(choice).toHaveValue(name);
  await choice.fill(otherName);
  await page.getByRole("option", { name: otherName }).click();
  await expect(page).toHaveURL(`/audit?action=reseller.create&reseller=${other.resellerId}`);
  await expect(page.getByRole("table", { name: "Audit log" }).getByRole("row")).toHaveCount(2);
  await page.getByRole("link", { name: `Open ${otherName}` }).click();
  await expect(page).toHaveURL(`/resellers/${other.resellerId}`);
  await page.goto("/audit?reseller=2147483647");
  await expect(choice).toHaveValue("Reseller 2147483647");
  await page.getByRole("button", { name: "Show all resellers" }).click();
  await expect(page).toHaveURL("/audit");
  await expect(choice).toBeFocused();
});
