import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { setPrice } from "#lib/services/catalog/set-price.ts";
import { inspect } from "../support/looks.ts";
import { CURRENCY, expect, newMark, newOffer, test } from "../support/offers.ts";
import { systemContext } from "../support/world.ts";

const cell = (page: Page, name: string) => page.getByRole("grid").getByLabel(name, { exact: true });
/** In their order on the page: the currency of most resellers first. */
const currenciesOf = async (page: Page) =>
  (await page.getByRole("grid").getByRole("columnheader").allInnerTexts()).slice(2) as [string, string, string];
/** Pixels of the grid beyond its frame. */
const cutOff = (page: Page) =>
  page
    .getByRole("grid")
    .evaluate(({ parentElement: frame }) => (frame === null ? null : frame.scrollWidth - frame.clientWidth));
const save = (page: Page) => page.getByRole("button", { name: /^Save \d+ prices?$/ });

/** Three cycles in five currencies. */
async function newPricedOffer() {
  const offer = await newOffer({ name: `Panel ${newMark()}`, prices: { 1: "10", 3: "28", 12: "100" } });
  const cycles = await getRuntime().db.prisma.billingCycle.findMany({ where: { productId: offer.productId } });
  for (const { id } of cycles) {
    for (const currency of ["EUR", "GBP", "SEK", "USD"]) {
      const place = { resellerId: null, cycleId: id, currency };
      await setPrice(systemContext(), { ...place, price: "1000", setupFee: "", pricePerCore: null });
    }
  }
  const cost = { costCurrency: CURRENCY, costPrice: 800n, costSetupFee: 0n };
  await getRuntime().db.prisma.billingCycle.updateMany({
    where: { productId: offer.productId, months: 1 },
    data: cost,
  });
  return offer;
}

test("three cycles in five currencies fit one screen, also a phone, and are accessible while typed into", async ({
  page,
  login,
}) => {
  test.slow();
  const { productId } = await newPricedOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  await expect(cell(page, "Yearly, setup fee in USD")).toBeInViewport({ ratio: 1 });
  expect(await cutOff(page)).toBe(0);
  await cell(page, "Monthly, price in CHF").click();
  await page.keyboard.type("6");
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  await page.keyboard.press("Enter");
  await inspect(page, "price-grid");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await cutOff(page)).toBe(0);
  await inspect(page, "price-grid-phone");
});

test("keys are those of a spreadsheet: arrows, Enter, Tab, Escape, F2, Delete, copying and pasting a block", async ({
  page,
  context,
  login,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { productId } = await newPricedOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  const [first, second] = await currenciesOf(page);
  const [monthly, quarterly] = [cell(page, `Monthly, price in ${first}`), cell(page, `Quarterly, price in ${first}`)];
  const stored = { monthly: await monthly.inputValue(), quarterly: await quarterly.inputValue() };
  await monthly.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(quarterly).toBeFocused();
  await page.keyboard.press("F2");
  await page.keyboard.press("End");
  await page.keyboard.type("5");
  await page.keyboard.press("Escape");
  await expect(quarterly).toHaveValue(stored.quarterly);
  await expect(quarterly).toBeFocused();
  await page.keyboard.type("30.5");
  await page.keyboard.press("Tab");
  await expect(quarterly).toHaveValue("30.50");
  await expect(cell(page, `Quarterly, price in ${second}`)).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Control+c");
  const shown = `${stored.monthly}\t${await cell(page, `Monthly, price in ${second}`).inputValue()}`;
  // A spreadsheet reads amounts without grouped thousands in any country.
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown.replaceAll(",", ""));
  await page.evaluate(() => navigator.clipboard.writeText("CHF 11\t€1.234,50\n\n31\t40"));
  await page.keyboard.press("Escape");
  await monthly.focus();
  await page.keyboard.press("Control+v");
  await expect(monthly).toHaveValue("11.00");
  await expect(cell(page, `Monthly, price in ${second}`)).toHaveValue("1,234.50");
  await expect(quarterly).toHaveValue("31.00");
  await quarterly.focus();
  await page.keyboard.press("Delete");
  await expect(quarterly).toHaveValue("");
  await save(page).click();
  await expect(page.getByText("4 prices saved")).toBeVisible();
  await expect(quarterly).toHaveValue("");
  await expect(monthly).toHaveValue("11.00");
  await page.getByRole("grid").getByRole("textbox").last().focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("grid").locator(":focus"), "the last cell leads out").toHaveCount(0);
});

test("the left arrow leads from a row's first amount to its menu and ends a selection, the right one back", async ({
  page,
  login,
}) => {
  const { productId } = await newPricedOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  const [first] = await currenciesOf(page);
  const amount = cell(page, `Quarterly, setup fee in ${first}`);
  await amount.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowLeft");
  const menu = page.getByRole("button", { name: "Actions for Quarterly" });
  await expect(menu).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Edit cycle" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(cell(page, `Quarterly, price in ${first}`)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowLeft");
  const selected = page.getByRole("grid").locator("[aria-selected=true]");
  await expect(selected).toHaveCount(2);
  await page.keyboard.press("ArrowLeft");
  await expect(menu).toBeFocused();
  await expect(selected).toHaveCount(1);
});

test("what is pasted into the dialog of a row, or copied there, is no price", async ({ page, context, login }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { productId } = await newPricedOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  await cell(page, "Monthly, price in CHF").click();
  await page.getByRole("button", { name: "Actions for Monthly" }).click();
  await page.getByRole("menuitem", { name: "Edit cycle" }).click();
  const field = page.getByRole("dialog").getByLabel("Name");
  await expect(field).toHaveCSS("text-align", "start");
  await page.evaluate(() => navigator.clipboard.writeText("4711"));
  await field.fill("");
  await field.press("ControlOrMeta+v");
  await expect(field).toHaveValue("4711");
  await field.fill("Each month");
  await field.press("ControlOrMeta+a");
  await field.press("ControlOrMeta+c");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("Each month");
  await page.keyboard.press("Escape");
  await expect(cell(page, "Monthly, price in CHF")).toHaveValue("10.00");
  await expect(save(page)).toHaveCount(0);
});

test("of a pasted block with one bad cell nothing is saved, and that cell is marked", async ({
  page,
  context,
  login,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { productId } = await newPricedOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  const [first, second, third] = await currenciesOf(page);
  const stored = await cell(page, `Monthly, price in ${first}`).inputValue();
  await page.evaluate(() => navigator.clipboard.writeText("11\t12\tn/a"));
  await cell(page, `Monthly, price in ${first}`).focus();
  await page.keyboard.press("Control+v");
  const bad = cell(page, `Monthly, price in ${third}`);
  await expect(bad).toHaveAttribute("aria-invalid", "true");
  await save(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "Nothing was saved" })).toContainText(
    `Monthly, price in ${third} must be an amount, 0 or more`,
  );
  await page.reload();
  await expect(cell(page, `Monthly, price in ${first}`)).toHaveValue(stored);
  await expect(cell(page, `Monthly, price in ${second}`)).not.toHaveValue("12.00");
});

test("15 percent less on all is three interactions, and below cost is refused by name until it is meant", async ({
  page,
  login,
}) => {
  const { productId } = await newPricedOffer();
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  await page.getByLabel("Change by %").fill("-15 %");
  await page.getByRole("button", { name: "Change all" }).click();
  await expect(cell(page, "Yearly, price in SEK")).toHaveValue("850.00");
  await expect(page.getByRole("grid")).toContainText("+6.25%");
  await save(page).click();
  await expect(page.getByText("15 prices saved")).toBeVisible();
  await expect(page.getByLabel("Change by %")).toHaveValue("");

  await page.getByLabel("Change by %").fill("−15");
  await page.getByRole("button", { name: "Change all" }).click();
  await save(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "below the cost" })).toContainText(
    /Monthly in CHF: CHF\s7\.23 is 9\.63% below the cost of CHF\s8\.00\./,
  );
  await page.getByRole("checkbox", { name: "Sell 1 price below cost" }).check();
  await save(page).click();
  await expect(page.getByText("15 prices saved").first()).toBeVisible();
  await expect(cell(page, "Monthly, price in CHF")).toHaveValue("7.23");
});

test("on a phone, a percentage changes the currency that is shown, and no other", async ({ page, login }) => {
  const { productId } = await newPricedOffer();
  await page.setViewportSize({ width: 390, height: 844 });
  await login("admin");
  await page.goto(`/catalog/products/${productId}`);
  await page.getByRole("radio", { name: "SEK" }).check();
  await page.getByLabel("Change by %").fill("-15");
  await page.getByRole("button", { name: "Change all in SEK" }).click();
  await expect(cell(page, "Yearly, price in SEK")).toHaveValue("850.00");
  await expect(page.getByRole("button", { name: "Save 3 prices" })).toBeVisible();
});

test("a reseller's own prices are all set in three interactions", async ({ page, login, newReseller }) => {
  const reseller = await newReseller({ currency: CURRENCY });
  const { productId, name } = await newPricedOffer();
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/prices?q=${encodeURIComponent(name)}`);
  await page.getByLabel("Change by %").fill("-10");
  await page.getByRole("button", { name: "Change all" }).click();
  await save(page).click();
  await expect(page.getByText("3 prices saved")).toBeVisible();
  await inspect(page, "price-grid-own");
  const prices = await getRuntime().db.prisma.price.findMany({
    where: { cycle: { productId }, resellerId: reseller.resellerId },
    orderBy: { price: "asc" },
  });
  expect(prices.map(({ price }) => price)).toEqual([900n, 2_520n, 9_000n]);
});

test("on a phone each of many own prices is a line, which opens to be changed", async ({ page, login, reseller }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/prices`);
  const row = page.getByRole("row").filter({ hasText: "Hardened Kernel" }).filter({ hasText: "Monthly" });
  const price = cell(page, "Hardened Kernel, Monthly, own price");
  await expect(price).toBeHidden();
  await row.getByRole("button", { name: "List $12.00" }).click();
  await price.focus();
  await page.keyboard.type("9.50");
  await page.keyboard.press("Enter");
  // The next one was folded, too.
  await expect(cell(page, "Hardened Kernel, Quarterly, own price")).toBeFocused();
  await save(page).click();
  await expect(page.getByText("1 price saved")).toBeVisible();
  await row.getByRole("button", { name: "Own $9.50" }).click();
  await expect(price).toBeHidden();
});
