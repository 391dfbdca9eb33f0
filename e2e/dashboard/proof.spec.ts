import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { expect, test } from "../support/dashboard.ts";

test("a top-up asks an admin for the password after ten minutes, then happens once, as it was filled in", async ({
  page,
  context,
  browser,
  apiUrl,
  login,
  reseller,
}) => {
  const admin = await login("admin");
  const stolen = await context.storageState();
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await getRuntime().db.query(
    sql("update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1"),
    [admin.userId],
  );
  await page.getByRole("button", { name: "Top up" }).click();
  const form = page.getByRole("dialog", { name: "Top up the wallet" });
  await form.getByLabel("Amount in USD").fill("12.50");
  await form.getByLabel("Note").fill("Bank transfer");
  await form.getByRole("button", { name: "Top up by $12.50" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Password", { exact: true }).fill("not the password");
  await page.keyboard.press("Enter");
  await expect(proof.getByText("Password is not right.")).toBeVisible();
  await proof.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(proof).toBeHidden();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("The balance is now $1,012.50.");
  const entries = await getRuntime().db.prisma.ledgerEntry.findMany({
    where: { wallet: { resellerId: reseller.resellerId }, amount: 1_250 },
  });
  expect(entries.map(({ note }) => note)).toEqual(["Bank transfer"]);

  const thief = await browser.newContext({ storageState: stolen });
  const elsewhere = await thief.newPage();
  await elsewhere.goto(`${apiUrl}/overview`);
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await thief.close();
  await page.reload();
  await expect(page.getByRole("button", { name: "Top up" })).toBeVisible();
});
