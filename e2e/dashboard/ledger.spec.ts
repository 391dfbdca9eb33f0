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
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText("−$14.50");
  await page.reload();
  await expect(rows).toHaveCount(2);
  await page.getByRole("link", { name: "Refunds" }).click();
  await expect(page.getByText("Nothing found")).toBeVisible();
  await page.getByRole("link", { name: "Show all entries" }).click();
  await expect(rows).toHaveCount(4);
  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Nothing found")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(rows).toHaveCount(4);
});

test("what names no license, bundle or operation is said beside the field", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/wallet?about=something&kind=nonsense&from=2027-02-31");
  await expect(page.getByLabel("License, bundle or operation")).toHaveAccessibleDescription(/Such as lic_12/);
  await expect(page.getByRole("table", { name: "Ledger" }).getByRole("row")).toHaveCount(2);
});

test("a statement is a CSV from the opening to the closing balance, for its reseller alone", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await reseller.newLicense({ product: { price: 1450n } });
  await page.goto("/wallet");
  await page.getByRole("button", { name: "Statement" }).click();
  const dialog = page.getByRole("dialog", { name: "Statement" });
  await dialog.getByRole("button", { name: "This year" }).click();
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download CSV" }).click();
  const file = await download;
  const year = new Date().getUTCFullYear();
  expect(file.suggestedFilename()).toMatch(new RegExp(`^statement-${year}-01-01-${year}-\\d\\d-\\d\\d\\.csv$`));
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString("utf8").trimEnd().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain("time,entry,kind");
  expect(lines[3]).toContain("-14.50,985.50,USD");
  expect(lines[4]).toContain("Closing balance");
});

test("a statement needs a session, a period, and one that ends after it begins", async ({ page, login, reseller }) => {
  const path = "/wallet/statement?from=2026-01-01&to=2026-12-31";
  const anonymous = await page.request.get(path, { maxRedirects: 0 });
  expect(anonymous.status()).toBe(307);
  expect(anonymous.headers().location).toContain("/sign-in");
  await login(reseller);
  expect((await page.request.get(path)).headers()["content-type"]).toBe("text/csv; charset=utf-8");
  expect((await page.request.get("/wallet/statement?from=x")).status()).toBe(400);
  expect((await page.request.get("/wallet/statement?from=2026-02-01&to=2026-01-01")).status()).toBe(400);
  const admins = `/resellers/${reseller.resellerId}/statement?from=2026-01-01&to=2026-12-31`;
  expect((await page.request.get(admins, { maxRedirects: 0 })).status()).toBe(307);
  await login("admin");
  expect((await page.request.get(admins)).headers()["content-type"]).toBe("text/csv; charset=utf-8");
});

test("an admin refunds a charge from its row, at most what is left of it, with a reason", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}`);
  const ledger = page.getByRole("table", { name: "Ledger" });
  await ledger.getByRole("button", { name: `Refund Registration lic_${license.license_id}` }).click();
  const dialog = page.getByRole("dialog", { name: "Refund this charge?" });
  await expect(dialog.getByLabel("Amount in USD")).toHaveValue("14.50");
  await dialog.getByLabel("Amount in USD").fill("20");
  await dialog.getByLabel("Reason").fill("Provider was late");
  await dialog.getByRole("button", { name: "Refund $20.00" }).click();
  await expect(dialog.getByLabel("Amount in USD")).toHaveAccessibleDescription(/more than what is left/);
  await dialog.getByLabel("Amount in USD").fill("4.50");
  await expect(dialog).toContainText("Can be spent after$990.00");
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
  await page.goto(`/resellers/${reseller.resellerId}`);
  await page.getByRole("button", { name: "Adjust balance" }).click();
  const dialog = page.getByRole("dialog", { name: "Adjust the balance" });
  await dialog.getByRole("radio", { name: "Take money" }).check();
  await dialog.getByLabel("Amount in USD").fill("1200");
  await expect(dialog).toContainText("Too little by$200.00");
  await dialog.getByLabel("Reason").fill("Entered twice");
  await dialog.getByRole("button", { name: "Adjust by −$1,200.00" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Nothing was changed.");
  await dialog.getByLabel("Amount in USD").fill("12.50");
  await expect(dialog).toContainText("Can be spent after$987.50");
  await dialog.getByRole("button", { name: "Adjust by −$12.50" }).click();
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("Entered twice");
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(987.5);
});
