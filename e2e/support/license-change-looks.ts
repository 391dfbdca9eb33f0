import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "./dashboard.ts";
import { inspect } from "./looks.ts";

/** Declares the tests of how the changes of a license look. */
export function declareLicenseChangeLooks(): void {
  test("what changes a license is accessible and fits", async ({ page, login, reseller }) => {
    test.slow();
    const license = await reseller.newLicense({ notes: "Order 4711", product: { price: 1800n, pricePerCore: 650n } });
    const { prisma } = getRuntime().db;
    await prisma.product.update({ where: { id: license.product_id }, data: { name: "Accelerated Web Server" } });
    await login(reseller);
    await page.goto(`/licenses/${license.license_id}`);
    await page.getByRole("button", { name: "Edit notes" }).click();
    await inspect(page, "license-notes");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Change address" }).click();
    await page.getByLabel("New address").fill("203.0.113.7");
    await inspect(page, "license-address");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Change cores" }).click();
    await page.getByRole("spinbutton", { name: "Cores" }).fill("4");
    await expect(page.getByRole("button", { name: /^Change for / })).toBeVisible();
    await inspect(page, "license-cores");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More actions" }).click();
    await inspect(page, "license-more");
    await page.getByRole("menuitem", { name: "Terminate…" }).click();
    await page.getByRole("button", { name: "Terminate for good" }).click();
    await expect(page.getByText(/^Type lic_\d+ to confirm\.$/)).toBeVisible();
    await inspect(page, "license-terminate");
  });
}
