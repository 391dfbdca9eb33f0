import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";

test("the ledger is filtered by kind, period and license, and the address says so", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await reseller.newLicense({ product: { price: 900n } });
  await page.goto("/wallet");
  const rows = page.getByRole("table", { name: "Ledger" }).getByRole("row");
  await expect(rows).toHaveCount(4);
  await page.getByRole("link", { name: "Charges" }).click();
  await expect(page).toHaveURL(/kind=charge/);
  await expect(rows).toHaveCount(3);
  await page.getByLabel("License, bundle or operation").fill(`lic_${license.license_id}`);
  await page.getByLabel("License, bundle or operation").press("Enter");
  await expect(rows).toHaveCount(2);
  await expect(page.getByLabel("License, bundle or operation")).toBeFocused();
  await expect(rows.nth(1)).toContainText("−$14.50");
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "Refunds" }).click();
  await expect(page.getByText("No entry matches")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(4);
  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  await page.getByLabel("License, bundle or operation").click();
  await expect(page.getByText("No entry matches")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(rows).toHaveCount(4);
});

// At any time, the day of one of them differs from that of UTC.
for (const timezoneId of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
  test.describe(`in ${timezoneId}`, () => {
    test.use({ timezoneId });
    test("the ledger is filtered by the days that its rows show", async ({ page, login, reseller }) => {
      await login(reseller);
      await reseller.newLicense();
      await page.goto("/wallet");
      const rows = page.getByRole("table", { name: "Ledger" }).getByRole("row");
      await expect(rows).toHaveCount(3);
      const charged = (await rows.nth(1).locator("time").getAttribute("datetime")) ?? "";
      const dayOf = (daysLater: number) =>
        new Intl.DateTimeFormat("sv-SE", { timeZone: timezoneId }).format(Date.parse(charged) + daysLater * 86_400_000);
      const choose = async (field: string, day: string) => {
        await page.getByLabel(field, { exact: true }).fill(day);
        await page.getByLabel("License, bundle or operation").click();
      };
      await choose("From", dayOf(0));
      await choose("To", dayOf(0));
      await expect(page).toHaveURL(/from=.*until=/);
      await page.reload();
      await expect(page.getByLabel("To", { exact: true })).toHaveValue(dayOf(0));
      await expect(page.getByLabel("From", { exact: true })).toHaveValue(dayOf(0));
      await expect(rows).toHaveCount(3);
      await choose("To", dayOf(-1));
      await choose("From", "");
      await expect(page.getByText("No entry matches")).toBeVisible();
      await choose("To", "");
      await expect(rows).toHaveCount(3);
      await choose("From", dayOf(1));
      await expect(page.getByText("No entry matches")).toBeVisible();
    });

    test("a page names the zone of its times once, also on paper; a statement is in UTC", async ({
      page,
      login,
      reseller,
    }) => {
      await login(reseller);
      await page.goto("/wallet");
      const note = page.getByText(`Times are in ${timezoneId.replace("_", " ")}, except those marked UTC.`);
      await expect(note).toBeVisible();
      await page.emulateMedia({ media: "print" });
      await expect(note).toBeVisible();
      await page.goto("/wallet/statement");
      await expect(page.getByRole("table", { name: "Entries" })).toBeVisible();
      await expect(note).toBeHidden();
    });
  });
}

test("what names no license, bundle or operation is said beside the field", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/wallet?about=something&kind=nonsense&from=2027-02-31");
  await expect(page.getByLabel("License, bundle or operation")).toHaveAccessibleDescription(
    /Enter a license \(lic_12\)/,
  );
  await expect(page.getByRole("table", { name: "Ledger" }).getByRole("row")).toHaveCount(2);
});

test("an admin refunds a charge from its row, at most what is left of it, with a reason", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  const ledger = page.getByRole("table", { name: "Ledger" });
  const name = new RegExp(`^Refund Registration, ${license.name} on .* \\(lic_${license.license_id}\\), \\$14\\.50$`);
  await ledger.getByRole("button", { name }).click();
  const dialog = page.getByRole("dialog", { name: "Refund this charge?" });
  await expect(dialog.getByLabel("Amount in USD")).toHaveValue("14.50");
  await dialog.getByLabel("Amount in USD").fill("20");
  await dialog.getByLabel("Reason").fill("Provider was late");
  await dialog.getByRole("button", { name: "Refund $20.00" }).click();
  await expect(dialog.getByLabel("Amount in USD")).toHaveAccessibleDescription(/more than what is left/);
  await dialog.getByLabel("Amount in USD").fill("4.50");
  await expect(dialog).toContainText("Available balance after$990.00");
  await dialog.getByRole("button", { name: "Refund $4.50" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("$4.50 refunded");
  await expect(ledger).toContainText("Refund of registration");
  await expect(ledger).toContainText("Provider was late");
  await ledger.getByRole("button", { name: /^Refund Registration/ }).click();
  await expect(dialog).toContainText("Left to refund$10.00");
  const where = { action: "wallet.refund", resellerId: reseller.resellerId };
  expect(await getRuntime().db.prisma.auditEntry.count({ where })).toBe(1);
});

test("an admin adjusts a balance in either direction, with a reason and never below what is held", async ({
  page,
  login,
  reseller,
}) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Adjust balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust the balance" });
  await dialog.getByRole("radio", { name: "Take money" }).check();
  await dialog.getByLabel("Amount in USD").fill("1200");
  await expect(dialog).toContainText("Too little by$200.00");
  await dialog.getByLabel("Reason").fill("Entered twice");
  await dialog.getByRole("button", { name: "Take $1,200.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Nothing was changed.");
  await dialog.getByLabel("Amount in USD").fill("12.50");
  await expect(dialog).toContainText("Available balance after$987.50");
  await dialog.getByRole("button", { name: "Take $12.50" }).click();
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("Entered twice");
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(987.5);
});
