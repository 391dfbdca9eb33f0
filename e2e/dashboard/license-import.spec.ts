import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";

const table = (page: Page) => page.getByLabel("Table", { exact: true });
const check = (page: Page) => page.getByRole("button", { name: "Check the table" }).click();
const rows = (page: Page) => page.getByRole("table", { name: "Rows of the table" }).getByRole("row");

test("a pasted table is checked row by row, put right, priced, and registered as a job; the good rows become licenses", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  await login(reseller);
  const { name } = await reseller.newProduct({ price: 1000n, setupFee: 250n });
  const [first, second, taken] = [reseller.newAddress(), reseller.newAddress(), reseller.newAddress()];
  await page.goto("/licenses");
  await page.getByRole("link", { name: "Import from CSV" }).click();
  await expect(page).toHaveTitle("Import licenses · License Desk");
  await table(page).fill(
    `Product;IP address;Notes;Color\r\n${name};${first};"Order 1; rack 2";red\r\n${name};${taken}\r\n${name};${taken}\r\n=cmd;10.0.0;x`,
  );
  await check(page);
  await expect(page.getByRole("heading", { name: "2 of 4 rows are ready" })).toBeFocused();
  await expect(page.getByText("Ignored columns: Color.")).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).nth(1)).toContainText("Line 3 has the same product on the same address.");
  await expect(rows(page).nth(2)).toContainText("“=cmd” is not a product on sale.");
  await expect(rows(page).nth(2)).toContainText("must be an IPv4 address");
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download problem rows" }).click();
  expect(await readFile(await (await file).path(), "utf8")).toContain("\r\n'=cmd,,10.0.0,x,,,");

  await page.getByRole("button", { name: "Change the table" }).click();
  await expect(table(page)).toHaveValue(/Order 1; rack 2/);
  await table(page).fill(`product,ip,notes\n${name},${first},Order 1\n${name},${second},\nwrong,,\n`);
  await check(page);
  await page.getByRole("radio", { name: "Ready 2" }).check();
  await expect(rows(page).nth(1)).toContainText("$12.50");
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("1 row has a problem and is skipped.");
  await expect(summary).toContainText("Total charge$25.00");
  await expect(summary).toContainText("Available balance after$975.00");
  await page.getByRole("button", { name: "Register 2 licenses for $25.00" }).click();
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  await expect(page.getByRole("heading", { name: "Registration of 2 licenses" })).toBeVisible();
  await expect(page.getByText("Finished: 2 done")).toBeVisible({ timeout: 20_000 });
  await expect(shownBalance(page)).toContainText("$975.00");
  await page.goto("/licenses");
  await expect(page.getByRole("row").filter({ hasText: first })).toContainText("Active");
  await expect(page.getByRole("row").filter({ hasText: second })).toContainText("Active");
});

test(
  "a page of rows that a second check leaves without any shows the first ones",
  onDesktop,
  async ({ page, login, reseller }) => {
    test.slow();
    await login(reseller);
    const { name, product_id, cycle_id } = await reseller.newProduct({ price: 100n });
    const addresses = Array.from({ length: 51 }, () => reseller.newAddress());
    await page.goto("/licenses/import");
    await table(page).fill(`product,ip\n${addresses.map((address) => `${name},${address}`).join("\n")}`);
    await check(page);
    await page.getByRole("radio", { name: "Ready 51" }).check();
    await page.getByRole("button", { name: "Next" }).click();
    await expect(rows(page)).toHaveCount(2);
    await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address: addresses[0] });
    await page.getByRole("button", { name: "Register 51 licenses for $51.00" }).click();
    await expect(page.getByRole("heading", { name: "50 of 51 rows are ready" })).toBeVisible();
    await expect(rows(page)).toHaveCount(51);
  },
);

test(
  "a file is read into the table whatever wrote it; what is no table, or too long, is said beside the field",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { name } = await reseller.newProduct({ price: 100n });
    await page.goto("/licenses/import");
    const choose = (fileName: string, buffer: Buffer) =>
      page.getByLabel("CSV file").setInputFiles({ name: fileName, mimeType: "text/csv", buffer });
    await choose("licenses.xlsx", Buffer.from("PK\u0003\u0004\0\0"));
    await expect(table(page)).toHaveAccessibleDescription(/This is not a text file\. Save the table as CSV/);
    await check(page);
    await expect(table(page)).toHaveAccessibleDescription(/Choose a file, or paste a table\./);
    await choose("long.csv", Buffer.from(`product,ip\n${"x,y\n".repeat(10_001)}`));
    await expect(page.getByText("Read from long.csv")).toBeVisible();
    await check(page);
    await expect(table(page)).toHaveAccessibleDescription(/There are more than 5,000 rows\. Split the file/);
    const text = `product\tip_address\tnotes\r\n${name}\t${reseller.newAddress()}\tGröße\r\n`;
    await choose("excel.csv", Buffer.from(`\uFEFF${text}`, "utf16le"));
    await expect(page.getByText("Read from excel.csv")).toBeVisible();
    await check(page);
    await expect(page.getByRole("heading", { name: "1 row is ready" })).toBeVisible();
    await expect(rows(page).nth(1)).toContainText("Größe");
  },
);

test("the template names the columns and what is on sale; too little money is said before the button", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "15" });
  await login(reseller);
  const { name } = await reseller.newProduct({ price: 1000n });
  await page.goto("/licenses/import");
  const file = page.waitForEvent("download");
  await page.getByRole("link", { name: "Template" }).click();
  const template = await readFile(await (await file).path(), "utf8");
  expect(template).toMatch(
    /^product,cycle,ip_address,notes,customer_name,tags,auto_renew\r\n.+,203\.0\.113\.7,Order 4711,Acme GmbH,"eu, vip",no\r\n/,
  );
  const lines = [1, 2, 3].map(() => `${name},${reseller.newAddress()}`);
  await table(page).fill(`product,ip\n${lines.join("\n")}`);
  await check(page);
  const summary = page.getByRole("region", { name: "Summary" });
  await expect(summary).toContainText("The balance pays for 1 of 3.");
  await expect(summary.getByRole("link", { name: "Top up" })).toHaveAttribute("href", "/wallet?top-up=15.00");
  await expect(page.getByRole("button", { name: "Register 3 licenses for up to $30.00" })).toBeEnabled();
});

test(
  "private addresses are registered once they are confirmed (contract 1.8)",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { name } = await reseller.newProduct({ price: 1000n });
    await page.goto("/licenses/import");
    const own = `10.${reseller.resellerId >> 8}.${reseller.resellerId & 255}`;
    await table(page).fill(`product,ip\n${name},${own}.1\n${name},${reseller.newAddress()}\n`);
    await check(page);
    const start = page.getByRole("button", { name: "Register 2 licenses for $20.00" });
    await start.click();
    await expect(
      page.getByRole("alert").filter({ hasText: "Confirm the private addresses in the file (1)." }),
    ).toBeVisible();
    await page.getByRole("checkbox", { name: /1 private address is intended/ }).check();
    await start.click();
    await expect(page).toHaveURL(/\/jobs\/\d+$/);
  },
);
