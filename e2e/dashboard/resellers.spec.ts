import { getRuntime } from "#lib/runtime.ts";
import { expect, loseAnswers, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import type { Reseller } from "../support/world.ts";

/** A name to find it by, among those of all other tests. */
async function rename(reseller: Reseller): Promise<string> {
  const name = `Hosting ${reseller.resellerId}`;
  await getRuntime().db.prisma.reseller.update({ where: { id: reseller.resellerId }, data: { name } });
  return name;
}

test("an admin finds a reseller by search, with its balance, and opens its wallet", async ({
  page,
  login,
  reseller,
}) => {
  const name = await rename(reseller);
  await reseller.newLicense({ product: { price: 1450n } });
  await login("admin");
  await page.goto("/");
  await expect(page).toHaveURL(/\/overview$/);
  await page.getByRole("link", { name: "Resellers", exact: true }).first().click();
  await page.getByLabel("Search resellers").fill(name);
  await expect(page).toHaveURL(/q=Hosting/);
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("Available balance$985.50");
  await row.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await page.getByRole("navigation", { name: "Reseller" }).getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByText("Nothing is held")).toBeInViewport();
  const ledger = page.getByRole("table", { name: "Ledger" });
  await expect(ledger).toContainText("−$14.50");
  await expect(ledger.getByRole("link")).toHaveCount(0);
});

test("resellers are sorted by name, in the address, too, and newest first again", async ({
  page,
  login,
  newReseller,
}) => {
  const [older, newer] = [await newReseller(), await newReseller()];
  const mark = `Sorted ${older.resellerId}`;
  for (const [{ resellerId }, name] of [
    [older, `${mark} alpha`],
    [newer, `${mark} Beta`],
  ] as const) {
    await getRuntime().db.prisma.reseller.update({ where: { id: resellerId }, data: { name } });
  }
  await login("admin");
  await page.goto(`/resellers?q=${mark}`);
  const rows = page.getByRole("table", { name: "Resellers" }).getByRole("row");
  const head = (name: string) => page.getByRole("columnheader", { name });
  await expect(rows.nth(1)).toContainText(`${mark} Beta`);
  await head("Reseller").getByRole("link").click();
  await expect(page).toHaveURL(/sort=name/);
  await expect(head("Reseller")).toHaveAttribute("aria-sort", "ascending");
  await expect(rows.nth(1)).toContainText(`${mark} alpha`);
  await head("Since").getByRole("link").click();
  await expect(rows.nth(1)).toContainText(`${mark} Beta`);
});

test("a top-up shows the balance after it first, and is in the ledger afterwards", async ({
  page,
  login,
  reseller,
}) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Top up" }).click();
  const form = page.getByRole("dialog", { name: "Top up the wallet" });
  await form.getByLabel("Amount in USD").fill("120.5");
  await expect(form).toContainText("Available balance after$1,120.50");
  await form.getByLabel("Reference").fill("INV-2027-9");
  await form.getByLabel("Note").fill("Bank transfer");
  await form.getByRole("button", { name: "Top up by $120.50" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("The balance is now $1,120.50.");
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("INV-2027-9, Bank transfer");
  await expect(form).toHaveCount(0);
  await page.getByRole("button", { name: "Top up" }).click();
  await expect(form).toContainText("Available balance now$1,120.50");
  await expect(form.getByLabel("Amount in USD")).toHaveValue("");
});

test("the same reference is refused beside its field, and credited once", async ({ page, login, reseller }) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  const form = page.getByRole("dialog", { name: "Top up the wallet" });
  for (const balance of ["$1,000.00", "$1,050.00"]) {
    await page.getByRole("button", { name: "Top up" }).click();
    await expect(form).toContainText(`Available balance now${balance}`);
    await form.getByLabel("Amount in USD").fill("50");
    await form.getByLabel("Reference").fill("INV-1");
    await form.getByRole("button", { name: "Top up by $50.00" }).click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("The balance is now $1,050.00.");
  }
  await expect(form.getByLabel("Reference")).toHaveAccessibleDescription(/Reference was used before/);
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1050);
});

test("an amount that the currency does not have is refused beside its field", async ({ page, login, newReseller }) => {
  const reseller = await newReseller({ currency: "JPY", funds: "5000" });
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Top up" }).click();
  for (const wrong of ["", "0", "-5", "12.50", "1e3", "a lot"]) {
    await page.getByLabel("Amount in JPY").fill(wrong);
    await page.getByRole("dialog").getByRole("button", { name: "Top up", exact: true }).click();
    await expect(page.getByLabel("Amount in JPY")).toHaveAccessibleDescription(
      wrong === "12.50" ? /must be a whole number: JPY has no decimals/ : /must be a positive amount of JPY/,
    );
  }
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(5000);
});

test("a double click tops up once, also without a reference", async ({ page, login, reseller }) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Top up" }).click();
  await page.getByLabel("Amount in USD").fill("10");
  await page.getByRole("button", { name: "Top up by $10.00" }).dblclick();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("The balance is now $1,010.00.");
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1010);
});

test("after a lost answer a corrected amount is not credited unseen, whatever is refused in between", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/ERR_FAILED/);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Top up" }).click();
  const form = page.getByRole("dialog", { name: "Top up the wallet" });
  await form.getByLabel("Amount in USD").fill("10");
  await loseAnswers(page, () => form.getByRole("button", { name: "Top up by $10.00" }).click());
  await form.getByLabel("Amount in USD").fill("12");
  await form.getByLabel("Note").fill("n".repeat(1001));
  await form.getByRole("button", { name: "Top up by $12.00" }).click();
  await expect(form.getByLabel("Note")).toHaveAttribute("aria-invalid", "true");
  await form.getByLabel("Note").fill("");
  await form.getByRole("button", { name: "Top up by $12.00" }).click();
  await expect(form.getByText("The first attempt may have been carried out")).toBeVisible();
  await expect(form.getByText("Nothing was credited.")).toHaveCount(0);
  await expect(form).toContainText("Available balance now$1,010.00");
  expect((await reseller.dispatch.get("balance")).body.data.balance).toBe(1010);
  await inspect(page, "resellers-top-up-unsure");
});

test("a dialog that is closed after a lost answer opens with what came of it", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/ERR_FAILED/);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Adjust balance" }).click();
  const form = page.getByRole("dialog", { name: "Adjust the balance" });
  await form.getByLabel("Amount in USD").fill("5");
  await form.getByLabel("Reason").fill("Goodwill");
  await loseAnswers(page, () => form.getByRole("button", { name: "Add $5.00" }).click());
  await form.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("Goodwill");
  await page.getByRole("button", { name: "Adjust balance" }).click();
  await expect(form).toContainText("Available balance now$1,005.00");
});

test("a reseller that does not exist is not found", async ({ login, expectNothingAt }) => {
  await login("admin");
  for (const id of ["2147483647", "0", "abc", "99999999999"]) {
    await expectNothingAt(`/resellers/${id}`);
  }
});

test("a search that a link clears is empty in its input, too, and going back brings it again", async ({
  page,
  login,
  reseller,
}) => {
  await reseller.newProduct();
  await login("admin");
  for (const path of ["/catalog", `/resellers/${reseller.resellerId}/prices`]) {
    await page.goto(path);
    const search = page.getByRole("searchbox");
    await search.fill("nothing has this");
    await expect(page).toHaveURL(`${path}?q=nothing+has+this`);
    await page.getByRole("link", { name: "Clear search" }).click();
    await expect(page).toHaveURL(path);
    await expect(search).toHaveValue("");
    await page.goBack();
    await expect(search).toHaveValue("nothing has this");
  }
});
