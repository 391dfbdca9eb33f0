import { licenseColumns } from "#lib/domain/license-column.ts";
import { getRuntime } from "#lib/runtime.ts";
import { setLicenseAutoRenew } from "#lib/services/license/set-auto-renew.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { adminContext, type Reseller, setLicense } from "../support/world.ts";

const HOSTS = ["web1", "web2", "mail", "shop", "db1", "backup", "build", "vpn"];

/** Licenses that differ in everything that a column shows. */
async function furnishList(reseller: Reseller): Promise<void> {
  const { prisma } = getRuntime().db;
  const metered = await reseller.newProduct({ price: 1450n, pricePerCore: 200n });
  const plain = await reseller.newProduct({ price: 900n });
  await prisma.product.update({ where: { id: metered.product_id }, data: { name: "Accelerated Web Server" } });
  await prisma.product.update({ where: { id: plain.product_id }, data: { name: "Mail Gateway" } });
  const offer = await reseller.newBundle([{}, {}], { price: 2990n });
  await prisma.bundle.update({ where: { id: offer.bundle_id }, data: { name: "Hosting Suite" } });
  for (let index = 0; index < 8; index++) {
    const { product_id, cycle_id } = index % 3 === 0 ? metered : plain;
    const notes = index % 4 === 0 ? `Order ${4700 + index}, rack ${index % 9}` : "";
    const ip_address = reseller.newAddress();
    const { body } = await reseller.dispatch.post("license.register", { product_id, cycle_id, ip_address, notes });
    const { license_id, license_key } = body.data;
    const host = `${HOSTS[index % HOSTS.length]}.northwind.example`;
    if (index % 5 !== 0) await reseller.path.post("/license/update", { license_key, hostname: host });
    if (index % 3 === 1)
      await setLicenseAutoRenew(adminContext(reseller.resellerId), { licenseId: license_id, on: true });
    if (index === 5) await setLicense(license_id, { expiredDays: 4 });
  }
  const bought = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: reseller.newAddress(),
  });
  expect(bought.status).toBe(200);
}

test("the license list's filters, orders and columns are accessible and fit", async ({
  page,
  context,
  login,
  reseller,
  apiUrl,
}) => {
  test.slow();
  await furnishList(reseller);
  await login(reseller);
  await page.goto("/licenses");
  await expect(page.getByText("10 licenses")).toBeVisible();
  await page.getByRole("button", { name: "Columns" }).click();
  await inspect(page, "license-columns");
  await context.addCookies([{ name: "license_columns", value: licenseColumns.join("."), url: apiUrl }]);
  await page.goto("/licenses?address=10.*&renewal=automatic&sort=address");
  await inspect(page, "license-list-all");
  await page.getByRole("button", { name: "Filters" }).click();
  await inspect(page, "license-filters");
});

test("the import is accessible and fits in each of its states", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "40" });
  await login(reseller);
  await page.goto("/licenses/import");
  await inspect(page, "import");
  await page.getByLabel("Table", { exact: true }).fill("name,address\nx,y");
  await page.getByRole("button", { name: "Check the table" }).click();
  await expect(page.getByText(/product is missing/)).toBeVisible();
  await inspect(page, "import-refused");
  const good = HOSTS.map((host) => `Mail Gateway,Monthly,${reseller.newAddress()},${host}.northwind.example,yes`);
  const wrong = ["Mail Gatway,Monthly,203.0.113.7,Order 4711,", "Mail Gateway,Weekly,203.0.113,,maybe"];
  const { product_id } = await reseller.newProduct({ price: 1450n, setupFee: 500n });
  await getRuntime().db.prisma.product.update({ where: { id: product_id }, data: { name: "Mail Gateway" } });
  await getRuntime().db.prisma.billingCycle.updateMany({
    where: { productId: product_id },
    data: { name: "Monthly" },
  });
  const text = ["product,cycle,ip_address,notes,auto_renew", ...good, ...wrong].join("\n");
  await page.getByLabel("Table", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Check the table" }).click();
  await expect(page.getByRole("heading", { name: /rows are ready/ })).toBeVisible();
  await inspect(page, "import-problems");
});
