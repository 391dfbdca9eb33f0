import { getRuntime } from "#lib/runtime.ts";
import { newRunningJob } from "../support/bulk.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, setLicense } from "../support/world.ts";

const hosts = ["web1", "web2", "mail", "shop", "backup", "old"];
/** High enough for all of it. */
const WHOLE_PAGE = 1400;

async function furnish(reseller: Reseller): Promise<number[]> {
  const { prisma } = getRuntime().db;
  const product = await reseller.newProduct({ price: 1450n });
  await prisma.product.update({ where: { id: product.product_id }, data: { name: "Mail Gateway" } });
  const ids: number[] = [];
  for (const host of hosts) {
    const { body } = await reseller.dispatch.post("license.register", {
      product_id: product.product_id,
      cycle_id: product.cycle_id,
      ip_address: reseller.newAddress(),
    });
    const { license_id, license_key } = body.data;
    await reseller.path.post("/license/update", { license_key, hostname: `${host}.northwind.example` });
    ids.push(Number(license_id));
  }
  await setLicense(ids.at(-1) as never, "terminated");
  return ids;
}

test("changes of many licenses are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "110" });
  const user = await login(reseller);
  const ids = await furnish(reseller);
  await page.goto("/jobs");
  await inspect(page, "bulk-empty");
  await page.goto("/licenses");
  for (const id of ids.slice(2)) await page.getByRole("checkbox", { name: `Select lic_${id}` }).check();
  const { width, height } = page.viewportSize() ?? { width: 1440, height: 900 };
  // Lower, the bar would lie over a row, and part of its buttons would be too small to press.
  await page.setViewportSize({ width, height: WHOLE_PAGE });
  await inspect(page, "bulk-selection");
  const bar = page.getByRole("region", { name: "Selected licenses" });
  await bar.getByRole("button", { name: "More changes" }).click();
  await inspect(page, "bulk-menu");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width, height });
  await bar.getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Needs $20.50 more")).toBeVisible();
  await inspect(page, "bulk-renew");
  await dialog.getByRole("button", { name: "Renew 3 for up to $43.50" }).click();
  await expect(page.getByText("1 done, 2 failed, 1 skipped")).toBeVisible();
  await page.setViewportSize({ width, height: WHOLE_PAGE });
  await inspect(page, "bulk-finished");
  await page.setViewportSize({ width, height });
  await page.getByRole("button", { name: "Retry 2 failed" }).click();
  await inspect(page, "bulk-retry");
  const jobId = await newRunningJob(reseller, user, { done: ids.slice(0, 2), waiting: ids.slice(2) });
  await page.goto(`/jobs/${jobId}`);
  await inspect(page, "bulk-running");
  await page.goto("/jobs");
  await inspect(page, "bulk-jobs");
});
