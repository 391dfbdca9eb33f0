import { expect, focusFirstRow, shownBalance, test } from "../support/dashboard.ts";
import { setLicense } from "../support/world.ts";

const PAGE_SIZE = 50;

test("the list shows the newest first, with product, server, key, status and expiry", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const older = await reseller.newLicense();
  const newer = await reseller.newLicense();
  await page.goto("/licenses");
  const rows = page.getByRole("table", { name: "Licenses" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(1)).toContainText(newer.name);
  await expect(rows.nth(2)).toContainText(older.name);
  await expect(rows.nth(1)).toContainText(String(newer.license_key));
  await expect(rows.nth(1)).toContainText("Active");
  await expect(rows.nth(1)).toContainText(
    /in (4 weeks|30 days|29 days|last month|1 month|27 days|28 days|next month)|next month/,
  );
});

test("an empty list leads to the first registration, and without money to a top-up first", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  await login(await newReseller({ funds: "0" }));
  await page.goto("/licenses");
  await page.getByRole("link", { name: "Top up first" }).click();
  await expect(page.getByRole("dialog", { name: "Request a top-up" }).getByLabel("Amount")).toHaveValue("");
  await login(reseller);
  await page.goto("/licenses");
  await expect(page.getByRole("link", { name: "Top up first" })).toHaveCount(0);
  await expect(page.getByText("No licenses yet")).toBeVisible();
  await expect(page.getByRole("link", { name: "Register your first license" })).toHaveAttribute(
    "href",
    "/licenses/new",
  );
});

test("typing searches key, host, address and notes; what is found nowhere offers to clear the filters", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const noted = await reseller.newLicense({ notes: "Invoice 2027-113" });
  const other = await reseller.newLicense();
  await reseller.path.post("/license/update", { license_key: other.license_key, hostname: "mail7.example.com" });
  await page.goto("/licenses");
  const search = page.getByRole("searchbox", { name: "Search licenses" });
  const rows = page.getByRole("table").getByRole("row");
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(search).toBeFocused({ timeout: 500 });
  }, "listens once the page has its script").toPass();
  for (const [text, found] of [
    ["invoice 2027", noted],
    ["MAIL7", other],
    [String(noted.license_key).slice(4, 15).toLowerCase(), noted],
  ] as const) {
    await search.fill(text);
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText(String(found.license_key));
    await expect(search).toBeFocused();
  }
  await search.fill("100%_none");
  await expect(page.getByText("No license matches")).toBeVisible();
  await expect(page.getByText("0 licenses", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Clear search" }).click();
  await expect(rows).toHaveCount(3);
  await expect(search).toHaveValue("");
});

test("filters are in the address: they can be opened anew, combined, and gone back from", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const active = await reseller.newLicense();
  const expired = await reseller.newLicense();
  await setLicense(expired.license_id, { expiredDays: 3 });
  await page.goto("/licenses");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(3);
  await page.getByRole("navigation", { name: "Filter by status" }).getByRole("link", { name: "Expired" }).click();
  await expect(page).toHaveURL(/\/licenses\?status=expired$/);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(expired.name);
  await page.getByRole("combobox", { name: "Product" }).selectOption({ label: active.name });
  await expect(page).toHaveURL(new RegExp(`product=${active.type}&status=expired$`));
  await expect(page.getByText("No license matches")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No license matches")).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Product" })).toHaveValue(active.type);
  await page.goBack();
  await expect(rows.nth(1)).toContainText(expired.name);
  await page.goBack();
  await expect(rows).toHaveCount(3);
  await expect(page).toHaveURL(/\/licenses$/);
});

test("the search is in the address: opened anew, the field has it; gone back from, the field follows", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ notes: "alpha" });
  await page.goto("/licenses?q=alpha");
  const search = page.getByRole("searchbox", { name: "Search licenses" });
  await expect(search).toHaveValue("alpha");
  await page.getByRole("link", { name: license.name }).click();
  await expect(page.getByRole("heading", { name: license.name })).toBeVisible();
  await page.goBack();
  await expect(search).toHaveValue("alpha");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }).click();
  await expect(search).toHaveValue("");
  await expect(page).toHaveURL(/\/licenses$/);
  await page.goBack();
  await expect(search).toHaveValue("alpha");
});

for (const [where, link] of [
  ["beside the chips", "Clear"],
  ["in the empty list", "Clear filters"],
  ["of the navigation", "Licenses"],
] as const) {
  test(`what is typed after pressing the link ${where}, before the list has come, searches without the old filter`, async ({
    page,
    login,
    reseller,
  }) => {
    await login(reseller);
    const beta = await reseller.newLicense({ notes: "beta" });
    await page.goto("/licenses?q=alpha&status=expired&expires=7");
    await expect(page.getByText("No license matches")).toBeVisible();
    const held: (() => void)[] = [];
    await page.route(/\/licenses(\?_rsc|$)/, async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue().catch(() => {});
    });
    await page.getByRole("link", { name: link, exact: true }).first().click();
    const search = page.getByRole("searchbox", { name: "Search licenses" });
    await search.fill("beta");
    await expect(page).toHaveURL(/\/licenses\?q=beta$/);
    for (const release of held) release();
    await expect(page.getByRole("table", { name: "Licenses" })).toContainText(String(beta.license_key));
    await expect(search).toHaveValue("beta");
    await expect(page).toHaveURL(/\/licenses\?q=beta$/);
  });
}

test("pages lead forth and back, each license once", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "100000" });
  await login(reseller);
  const product = await reseller.newProduct({ price: 100n });
  const { product_id, cycle_id } = product;
  const count = 2 * PAGE_SIZE + 5;
  for (let made = 0; made < count; made += 15) {
    const batch = Array.from({ length: Math.min(15, count - made) }, (_, index) =>
      reseller.dispatch.post("license.register", {
        product_id,
        cycle_id,
        ip_address: reseller.newAddress(),
        notes: `number ${made + index}`,
      }),
    );
    await Promise.all(batch);
  }
  await page.goto("/licenses");
  await expect(page.getByText(`${count} licenses`)).toBeVisible();
  const keys = async () => page.getByRole("cell").filter({ hasText: /LIC-/ }).allInnerTexts();
  const pages = page.getByRole("navigation", { name: "Pages" });
  await expect(pages.getByText(`1–${PAGE_SIZE} of ${count}`)).toBeVisible();
  const first = await keys();
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/after=\d+&row=\d+$/);
  await expect.poll(keys).not.toEqual(first);
  const second = await keys();
  await pages.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText(`${2 * PAGE_SIZE + 1}–${count} of ${count}`)).toBeVisible();
  const third = await keys();
  expect(new Set([...first, ...second, ...third]).size).toBe(count);
  await expect(pages.getByRole("link", { name: "Next" })).toHaveCount(0);

  await pages.getByRole("link", { name: "Previous" }).click();
  await expect.poll(keys).toEqual(second);
  await pages.getByRole("link", { name: "Previous" }).click();
  await expect.poll(keys).toEqual(first);
  await expect(pages.getByRole("link", { name: "Previous" })).toHaveCount(0);
  await page.goBack();
  await expect.poll(keys).toEqual(second);
});

test("j, k and Enter walk the list; a key is copied without leaving it", async ({ page, login, reseller, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await login(reseller);
  const license = await reseller.newLicense();
  await reseller.newLicense();
  await page.goto("/licenses");
  await expect(shownBalance(page)).toBeVisible();
  const ours = page.getByRole("row").filter({ hasText: String(license.license_key) });
  await ours.getByRole("button", { name: /Copy the key/ }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(license.license_key);
  await expect(page).toHaveURL(/\/licenses$/);
  await page.goto("/licenses");
  await focusFirstRow(page);
  await page.keyboard.press("j");
  await expect(ours.getByRole("link")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/licenses/${license.license_id}$`));
});

test("an address with nonsense in it is a list all the same", async ({ page, login, reseller }) => {
  await login(reseller);
  await reseller.newLicense();
  await page.goto("/licenses?status=broken&after=abc&before=-1&q=%00&product=&q=second");
  await expect(page.getByRole("heading", { name: "Licenses" })).toBeVisible();
  await page.goto("/licenses?after=1");
  await expect(page.getByText("There is nothing on this page")).toBeVisible();
});
