import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { expect, followHeaderLink, test } from "../support/dashboard.ts";
import { textOfPages } from "../support/pdf.ts";
import type { Reseller } from "../support/world.ts";

const YEAR = new Date().getUTCFullYear();
const MONTH = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date());

interface Entries {
  readonly count: number;
  /** Minor units of the first one. */
  readonly amount?: number;
  readonly at?: Date;
}

/** Adjustments by the amount and twice, three times… as much; each third one takes, and each tenth has much to say. */
async function postEntries(reseller: Reseller, { count, amount = 1, at = new Date() }: Entries): Promise<void> {
  const { db } = getRuntime();
  await db.query(
    sql(`with entries as (
           select i, $3::int * (case when i % 3 = 0 then -i else i end) as amount,
                  case when i % 10 = 0 then repeat('A description that takes several lines. ', 10) else '' end
                    || 'Entry ' || i || '.' as note
             from generate_series(1, $2::int) i
         ), wallet as (
           update wallets set posted = posted + (select sum(amount) from entries) where reseller_id = $1
            returning reseller_id, posted
         )
         insert into ledger_entries (reseller_id, counter_account, kind, amount, posted_after, note, actor, created_at)
         select reseller_id, 'adjustments', 'adjustment', amount,
                posted - sum(amount) over () + sum(amount) over (order by i), note, 'test', $4
           from wallet, entries order by i`),
    [reseller.resellerId, count, amount, at],
  );
}

test("a statement leads from the opening to the closing balance; its days are in the address", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1450n } });
  await page.goto("/wallet");
  await followHeaderLink(page, "Statement");
  await expect(page).toHaveURL(/\/wallet\/statement$/);
  const sheet = page.getByRole("article", { name: "Statement" });
  await expect(sheet).toContainText("License Desk");
  await expect(sheet).toContainText("CurrencyUSD");
  const summary = page.getByRole("table", { name: "Summary" });
  await expect(summary.getByRole("row")).toHaveText([
    /^Type/,
    /^Opening balance.*\$0\.00$/,
    /^Charges1 entry−\$14\.50$/,
    /^Top-ups1 entry\+\$1,000\.00$/,
    /^Balance so farAs of .*\$985\.50$/,
  ]);
  const rows = page.getByRole("table", { name: "Entries" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(1)).toContainText("Opening balance");
  await expect(rows.nth(3)).toContainText("−$14.50");
  await expect(rows.nth(4)).toContainText("$985.50");
  await expect(rows.nth(3).getByRole("link")).toHaveText(new RegExp(`^${license.name} on [\\d.]+$`));
  await expect(rows.nth(3).getByRole("link")).toHaveAttribute("href", `/licenses/${license.license_id}`);
  await expect(page.getByRole("link", { name: MONTH })).toHaveAttribute("aria-current", "true");

  await page.getByRole("link", { name: String(YEAR - 1), exact: true }).click();
  await expect(page).toHaveURL(`/wallet/statement?from=${YEAR - 1}-01-01&to=${YEAR - 1}-12-31`);
  await expect(page.getByText("No entries in this period")).toBeVisible();
  await expect(summary.getByRole("row").last()).toHaveText(`Closing balanceAfter Dec 31, ${YEAR - 1}$0.00`);
  await page.getByLabel("To (UTC)").fill(`${YEAR}-12-31`);
  await page.getByRole("button", { name: "Show these days" }).click();
  await expect(page).toHaveURL(`/wallet/statement?from=${YEAR - 1}-01-01&to=${YEAR}-12-31`);
  await expect(rows).toHaveCount(5);
  await page.goBack();
  await expect(page.getByText("No entries in this period")).toBeVisible();
});

test("days that make no period show this month", async ({ page, login, reseller }) => {
  await login(reseller);
  for (const query of ["from=x&to=y", "from=2026-02-01&to=2026-01-01", "from=2026-02-30&to=2026-03-01"]) {
    await page.goto(`/wallet/statement?${query}`);
    await expect(page.getByRole("link", { name: MONTH })).toHaveAttribute("aria-current", "true");
  }
});

const minorUnits = (text = "") => BigInt(text.replaceAll(/[^\d−]/g, "").replace("−", "-"));

for (const { currency, symbol, count, papers } of [
  { currency: "USD", symbol: "$", count: 5, papers: ["A4", "Letter"] },
  { currency: "JPY", symbol: "¥", count: 70, papers: ["A4", "Letter"] },
  { currency: "KWD", symbol: "KWD", count: 70, papers: ["A4", "Letter"] },
  { currency: "USD", symbol: "$", count: 3_000, papers: ["A4"] },
]) {
  test(`printed, ${count} entries in ${currency} add up, each once on a numbered page`, async ({
    page,
    login,
    newReseller,
  }) => {
    test.slow();
    const reseller = await newReseller({ currency, funds: "0" });
    const lastMonth = new Date(Date.UTC(YEAR, new Date().getUTCMonth(), 0));
    await postEntries(reseller, { count: 1, amount: 123_456_789, at: lastMonth });
    await postEntries(reseller, { count });
    await login(reseller);
    await page.goto("/wallet/statement");
    const account = reseller.name.replaceAll(" ", "");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const format of papers) {
      const pages = textOfPages(await page.pdf({ format }));
      for (const [index, text] of pages.entries()) {
        const where = `${format}, page ${index + 1}`;
        expect(text, where).toContain("Time(UTC)TypeDetailsAmountBalance");
        expect(text, where).toContain(`Page${index + 1}of${pages.length}`);
        expect(text, where).not.toMatch(/Skiptocontent|RobinExample|Print|Download|Overview|Showthesedays/);
      }
      expect(pages[0]).toMatch(new RegExp(`Statement.*LicenseDesk.*Account${account}.*Period.*Currency${currency}`));
      const text = pages.join("");
      const money = `${symbol.replace("$", "\\$")}[\\d,.]+`;
      const entries = [...text.matchAll(new RegExp(`Entry(\\d+)\\.([+−])(${money})(${money})`, "g"))];
      expect(entries.map(([, number]) => Number(number))).toEqual(Array.from({ length: count }, (_, i) => i + 1));
      const opening = minorUnits(new RegExp(`Openingbalance(${money})`).exec(text)?.[1]);
      expect(opening).toBe(123_456_789n);
      const closing = entries.reduce((balance, [, , sign, amount, after]) => {
        const next = balance + (sign === "+" ? 1n : -1n) * minorUnits(amount);
        expect(minorUnits(after)).toBe(next);
        return next;
      }, opening);
      expect(minorUnits(new RegExp(`Balancesofar(${money})`).exec(text)?.[1])).toBe(closing);
    }
  });
}

test("no row is torn apart by the end of a page, and none is narrower than the paper", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await postEntries(reseller, { count: 120 });
  await page.goto("/wallet/statement");
  const pages = textOfPages(await page.pdf({ format: "A4" }));
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.length).toBeLessThan(8);
  for (let number = 10; number <= 120; number += 10) {
    const whole = `${"Adescriptionthattakesseverallines.".repeat(10)}Entry${number}.`;
    expect(pages.filter((text) => text.includes(whole))).toHaveLength(1);
  }
});

test("printed on A4, no amount is torn from its sign", async ({ page, login, newReseller }) => {
  const reseller = await newReseller({ currency: "EUR", funds: "7500" });
  await reseller.newLicense();
  await postEntries(reseller, { count: 20, amount: 750_000 });
  await login(reseller);
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: "print" });
  await page.goto("/wallet/statement");
  const amounts = page
    .getByRole("table", { name: "Entries" })
    .getByRole("cell")
    .getByText(/^[+−]€[\d,.]+$/);
  await expect(amounts).toHaveCount(22);
  const lines = await amounts.evaluateAll((shown) => {
    // The room between the margins of the sheet.
    document.body.style.width = "680px";
    return shown.map((amount) => amount.getClientRects().length);
  });
  expect(lines).toEqual(Array.from({ length: 22 }, () => 1));
});

test("too many entries for a page are added up, and the CSV has each one", async ({ page, login, reseller }) => {
  await login(reseller);
  await postEntries(reseller, { count: 5_000 });
  await page.goto("/wallet/statement");
  await expect(page.getByText("5,001 entries are too many for a page")).toBeVisible();
  await expect(page.getByRole("table", { name: "Summary" })).toContainText("5,000 entries");
  await expect(page.getByRole("table", { name: "Entries" })).toHaveCount(0);
  const download = page.waitForEvent("download");
  await page.getByRole("article").getByRole("link", { name: "Download CSV" }).click();
  const chunks: Buffer[] = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString("utf8").trimEnd().split("\r\n")).toHaveLength(5_004);
});

test("the CSV is of the same days, from the opening to the closing balance", async ({ page, login, reseller }) => {
  await login(reseller);
  await reseller.newLicense({ product: { price: 1450n } });
  await page.goto("/wallet/statement");
  await page.getByRole("link", { name: String(YEAR), exact: true }).click();
  await expect(page).toHaveURL(/from=/);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`statement-${YEAR}-01-01-${YEAR}-12-31.csv`);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString("utf8").trimEnd().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines[0]).toContain("time,entry,kind");
  expect(lines[3]).toContain("-14.50,985.50,USD");
  expect(lines[4]).toContain(",Balance so far,,985.50,USD,");
});

test("the CSV needs a session, a period, and one that ends after it begins", async ({ page, login, reseller }) => {
  const path = "/wallet/statement/csv?from=2026-01-01&to=2026-12-31";
  const anonymous = await page.request.get(path, { maxRedirects: 0 });
  expect(anonymous.status()).toBe(307);
  expect(anonymous.headers().location).toContain("/sign-in");
  await login(reseller);
  expect((await page.request.get(path)).headers()["content-type"]).toBe("text/csv; charset=utf-8");
  expect((await page.request.get("/wallet/statement/csv?from=x")).status()).toBe(400);
  expect((await page.request.get("/wallet/statement/csv?from=2026-02-01&to=2026-01-01")).status()).toBe(400);
  const admins = `/resellers/${reseller.resellerId}/statement/csv?from=2026-01-01&to=2026-12-31`;
  expect((await page.request.get(admins, { maxRedirects: 0 })).status()).toBe(403);
  await login("admin");
  expect((await page.request.get(admins)).headers()["content-type"]).toBe("text/csv; charset=utf-8");
});

test("an admin sees a reseller's statement, and of none that does not exist", async ({ page, login, reseller }) => {
  await reseller.newLicense({ product: { price: 1450n } });
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await followHeaderLink(page, "Statement");
  await expect(page.getByRole("table", { name: "Summary" })).toContainText("$985.50");
  await expect(page.getByRole("table", { name: "Entries" }).getByRole("link")).toHaveCount(0);
  const csv = await page.request.get("/resellers/2000000000/statement/csv?from=2026-01-01&to=2026-12-31");
  expect(csv.status()).toBe(404);
});

test("the palette leads to it", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/overview");
  await page.getByRole("button", { name: "Search and commands" }).click();
  const box = page.getByRole("combobox", { name: "Search everything" });
  await box.fill("statement");
  await expect(page.getByRole("option", { selected: true })).toHaveText("Print or download a statement");
  await box.press("Enter");
  await expect(page).toHaveURL(/\/wallet\/statement$/);
});
