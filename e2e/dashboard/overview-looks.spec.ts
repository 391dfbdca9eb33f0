import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

const DAY_MS = 86_400_000;
const SPENT_MONTHS = 6;

test("the overview of a new account is accessible and fits", async ({ page, login, newReseller }) => {
  await login(await newReseller({ funds: "0" }));
  await page.goto("/overview");
  const steps = page.getByRole("region", { name: "First steps" });
  await expect(steps.getByRole("link").first()).toHaveAttribute("href", "/wallet?top-up=");
  await inspect(page, "overview-empty");
});

test("the overview is accessible and fits", async ({ page, login, reseller }) => {
  test.slow();
  const { prisma } = getRuntime().db;
  const names = ["Mail Gateway", "Server Control Panel", "Web Accelerator"];
  for (const [index, name] of names.entries()) {
    const product = await reseller.newProduct({ price: 1450n + 700n * BigInt(index) });
    await prisma.product.update({ where: { id: product.product_id }, data: { name } });
    for (let month = 0; month < SPENT_MONTHS - index; month++) {
      const { body } = await reseller.dispatch.post("license.register", {
        product_id: product.product_id,
        cycle_id: product.cycle_id,
        ip_address: reseller.newAddress(),
      });
      await prisma.operation.updateMany({
        where: { licenseId: Number(body.data.license_id) },
        data: { createdAt: new Date(Date.now() - month * 30 * DAY_MS) },
      });
      if (month === 0) {
        const expiresAt = new Date(Date.now() + (3 + index) * DAY_MS);
        await prisma.license.updateMany({ where: { id: Number(body.data.license_id) }, data: { expiresAt } });
      }
    }
  }
  await login(reseller);
  await page.goto("/overview");
  await expect(page.getByRole("region", { name: "Spend" })).toBeVisible();
  await inspect(page, "overview");
  await page.getByText("Show as a table").click();
  await inspect(page, "overview-table");
});
