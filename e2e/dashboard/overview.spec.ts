import { getRuntime } from "#lib/runtime.ts";
import { suspendLicense } from "#lib/services/license/suspend.ts";
import { sql } from "#tests/sql.ts";
import { expect, test } from "../support/dashboard.ts";
import { adminContext, setLicense } from "../support/world.ts";

test("a reseller begins at the overview; each figure leads to the list of what it counts", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const ending = await reseller.newLicense();
  await reseller.newLicense();
  const expired = await reseller.newLicense();
  await setLicense(expired.license_id, { expiredDays: 3 });
  const soon = new Date(Date.now() + 3 * 86_400_000);
  await getRuntime().db.prisma.license.updateMany({
    where: { id: Number(ending.license_id) },
    data: { expiresAt: soon },
  });
  await page.goto("/");
  await expect(page).toHaveURL(/\/overview$/);
  await expect(page).toHaveTitle("Overview · License Desk");
  const figures = page.getByRole("region", { name: "Licenses" });
  await expect(figures.getByRole("link", { name: "Active 2" })).toBeVisible();
  await expect(figures.getByRole("link", { name: "Expired 1" })).toHaveAttribute("href", "/licenses?status=expired");
  await expect(page.getByRole("region", { name: "Recent activity" })).toContainText("Registered");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText(
    "One license will lapse within 7 daysAutomatic renewal is off. Renew manually, or it expires.",
  );
  await figures.getByRole("link", { name: "End in 7 days 1" }).click();
  await expect(page).toHaveURL(/\/licenses\?expires=7$/);
  const rows = page.getByRole("table", { name: "Licenses" }).getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(String(ending.license_key));
  await page.getByRole("link", { name: "Active", exact: true }).click();
  await expect(page).toHaveURL(/expires=7&status=active$/);
  await page.getByRole("link", { name: "Ends in 7 days" }).click();
  await expect(rows).toHaveCount(3);
});

test("what needs somebody is listed with where to go about it", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/overview");
  const card = page.getByRole("region", { name: "Needs attention" });
  await expect(card).toContainText("Nothing yet.");
  const { license_id } = await reseller.newLicense();
  await suspendLicense(adminContext(reseller.resellerId), { licenseId: license_id as never, reason: "Abuse" });
  const { prisma } = getRuntime().db;
  await prisma.wallet.update({
    where: { resellerId: reseller.resellerId },
    data: { lowBalanceThreshold: 500_000n },
  });
  const now = new Date();
  await prisma.webhookEndpoint.create({
    data: {
      resellerId: reseller.resellerId,
      url: "https://hooks.example.com/license-desk",
      secret: Buffer.from("sealed"),
      sealId: crypto.randomUUID(),
      disabledAt: now,
      disabledReason: "failing",
      createdAt: now,
      updatedAt: now,
    },
  });
  await page.reload();
  await expect(page.getByRole("main").getByRole("region").first()).toHaveAccessibleName("Needs attention");
  await expect(card.getByRole("listitem")).toHaveCount(3);
  await expect(card.getByRole("link", { name: "View license" })).toHaveAttribute("href", `/licenses/${license_id}`);
  await expect(card.getByRole("link", { name: "View endpoint" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Health" })).toContainText("Disabled");
  await card.getByRole("link", { name: "Request top-up" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("spend is told by month and product, as bars and as a table", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1450n, setupFee: 0n } });
  await page.goto("/overview");
  await page.getByText("Show as a table").click();
  const table = page.getByRole("table", { name: "Spend by month and product" });
  await expect(table.getByRole("columnheader", { name: license.name })).toBeVisible();
  await expect(table.getByRole("row").last()).toContainText("$14.50");
});

test("what was refunded is told, also if nothing else was spent", async ({ page, login, reseller }) => {
  await login(reseller);
  const { name } = await reseller.newLicense({ product: { price: 1450n, setupFee: 0n } });
  const negate = sql("update revenue_months set revenue = -revenue where reseller_id = $1");
  await getRuntime().db.query(negate, [reseller.resellerId]);
  await page.goto("/overview");
  const card = page.getByRole("region", { name: "Spend" });
  await expect(card).toContainText("Amounts below zero");
  await card.getByText("Show as a table").click();
  const table = card.getByRole("table", { name: "Spend by month and product" });
  await expect(table.getByRole("columnheader", { name })).toBeVisible();
  await expect(table.getByRole("row").last()).toContainText("−$14.50");
});

test("the series of a chart stand out from the surface and from each other, in light and dark", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/overview");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const luminances = await page.evaluate(luminancesOf, ["surface", ...[1, 2, 3, 4, 5].map((n) => `chart-${n}`)]);
    const [surface = 0, ...series] = luminances;
    expect(series.map((one) => contrast(one, surface) >= 3)).toEqual(series.map(() => true));
    expect(series.slice(1).map((one, index) => contrast(one, series[index] ?? 0) >= 2)).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }
});

/** As drawn, by WCAG 2.2. In the page. */
function luminancesOf(tokens: readonly string[]): number[] {
  const canvas = document.createElement("canvas").getContext("2d");
  const probe = document.body.appendChild(document.createElement("span"));
  if (canvas === null) throw new Error("no canvas");
  return tokens.map((token) => {
    probe.style.color = `var(--color-${token})`;
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}
