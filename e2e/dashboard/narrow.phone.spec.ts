import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";
import { newServer } from "../support/servers.ts";

test.use({ viewport: { width: 360, height: 740 } });

/** Opens each page that the navigation knows, and these. */
async function walk(page: Page, further: readonly string[]): Promise<void> {
  await page.getByRole("button", { name: "More" }).click();
  const links = page.getByRole("dialog").getByRole("link");
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute("href") ?? ""));
  expect(paths.length).toBeGreaterThan(2);
  await expectNoneWide(page, [...paths, ...further]);
}

/** No page is wider than the screen. */
async function expectNoneWide(page: Page, paths: readonly string[]): Promise<void> {
  const wide: string[] = [];
  for (const path of new Set(paths)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: /^Loading/ })).toHaveCount(0);
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (excess > 0) wide.push(`${path}: ${excess} px`);
  }
  expect(wide).toEqual([]);
}

test("at 360 px no page of a reseller scrolls sideways", async ({ page, login, reseller }) => {
  test.slow();
  const server = await newServer(reseller);
  await server.report({ hostname: "backup-storage-for-customers.eu-central.northwind.example", silentHours: 30 });
  await login(reseller);
  await page.goto("/overview");
  await walk(page, [
    "/licenses/new",
    `/licenses/${server.licenseId}`,
    `/licenses/${server.licenseId}/verifications`,
    "/bundles/new",
    `/relocations?from=${server.address}&to=${reseller.newAddress()}`,
    "/wallet/top-ups",
    "/wallet/statement",
    `/diagnostics/${server.address}`,
    "/api-keys/new",
    `/api-keys/${reseller.apiKeyId}`,
    "/webhooks/new",
    "/webhooks/log",
    "/developers",
    "/developers/requests",
  ]);
});

test("at 360 px no page of an admin scrolls sideways", async ({ page, login, reseller }) => {
  await login("admin");
  await page.goto("/overview");
  const path = `/resellers/${reseller.resellerId}`;
  await walk(page, [
    "/resellers",
    path,
    ...["licenses", "wallet", "prices", "api-keys", "team", "activity", "settings", "statement"].map(
      (tab) => `${path}/${tab}`,
    ),
  ]);
});

test("at 360 px no page scrolls sideways for a name without spaces", async ({ page, login, reseller }) => {
  const { license_id: licenseId, product_id: productId } = await reseller.newLicense();
  const { resellerId } = reseller;
  const { prisma } = getRuntime().db;
  const name = (id: number) => `${id}${"W".repeat(90)}`;
  await prisma.product.update({ where: { id: productId }, data: { name: name(productId) } });
  await prisma.reseller.update({ where: { id: resellerId }, data: { name: name(resellerId) } });
  await login(reseller);
  await expectNoneWide(page, ["/overview", "/licenses", "/licenses/new", "/wallet", `/licenses/${licenseId}`]);
  await login("admin");
  const ofReseller = ["", "/licenses", "/wallet", "/prices", "/team"].map((tab) => `/resellers/${resellerId}${tab}`);
  await expectNoneWide(page, [`/licenses/${licenseId}`, `/catalog/products/${productId}`, ...ofReseller]);
  await page.goto(`/users?q=${name(resellerId)}`);
  const box = await page
    .getByRole("link", { name: name(resellerId) })
    .first()
    .boundingBox();
  expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThan(360);
});

test("a chart shows its newest bar whole, also when the phone is turned", async ({ page, login, reseller }) => {
  await reseller.newLicense();
  await login("admin");
  await page.setViewportSize({ width: 740, height: 360 });
  await page.goto("/overview");
  const newest = page.locator("figure").getByRole("listitem").last();
  await expect(newest).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  const right = () =>
    newest.evaluate((bar) => {
      const frame = bar.closest(".overflow-x-auto");
      return (frame?.getBoundingClientRect().right ?? Number.NaN) - bar.getBoundingClientRect().right;
    });
  await expect.poll(right).toBeGreaterThanOrEqual(0);
});

for (const width of [360, 390]) {
  test(`at ${width} px a list's title and its buttons share one line, and the other ways are in a menu`, async ({
    page,
    login,
    reseller,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await reseller.newLicense();
    await login(reseller);
    await page.goto("/licenses");
    const header = page.getByRole("main").locator("header");
    const parts = [
      header.getByRole("heading", { level: 1 }),
      header.getByRole("link", { name: "Register license" }),
      header.getByRole("button", { name: "More" }),
    ];
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()));
    const middles = boxes.map((box) => (box === null ? Number.NaN : box.y + box.height / 2));
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(8);
    await expect(header.getByRole("link")).toHaveCount(1);
    await header.getByRole("button", { name: "More" }).press("Enter");
    await expect(page.getByRole("menuitem", { name: "Import" })).toBeFocused();
    await page.getByRole("menuitem", { name: "Import" }).click();
    await expect(page).toHaveURL("/licenses/import");
  });
}
