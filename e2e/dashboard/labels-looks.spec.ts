import type { LabelChange } from "#lib/domain/labels.ts";
import { setLicenseLabels } from "#lib/services/license/set-labels.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { adminContext, type Reseller } from "../support/world.ts";

const acme = { customerName: "Acme Hosting GmbH", customerEmail: "billing@acme.example", customerReference: "C-1042" };
const LONG_NAME = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

async function label(reseller: Reseller, change: LabelChange): Promise<number> {
  const { license_id } = await reseller.newLicense();
  const licenseId = Number(license_id);
  await setLicenseLabels(adminContext(reseller.resellerId), { licenseId, change });
  return licenseId;
}

test("long names and many tags are accessible and fit", async ({ page, context, login, reseller, apiUrl }) => {
  test.slow();
  const tags = ["eu", "managed", "very-long-tag-of-a-group-of-customers-40", "vip", "beta", "late", "y", "z"];
  const licenseId = await label(reseller, { ...acme, tags });
  await label(reseller, { ...acme, customerName: LONG_NAME, tags: ["managed"] });
  await label(reseller, { customerEmail: "office@greenfield.example" });
  await label(reseller, { customerName: "شركة الاستضافة", tags: ["عميل مهم"] });
  await reseller.newLicense();
  await login(reseller);
  await page.goto("/licenses");
  await expect(page.getByRole("link", { name: LONG_NAME })).toBeVisible();
  await inspect(page, "labels-in-rows");
  await page.goto("/licenses?q=z+c-1042");
  await inspect(page, "labels-found");
  await context.addCookies([{ name: "license_columns", value: "server.status.customer.tags", url: apiUrl }]);
  await page.goto("/licenses");
  await inspect(page, "labels-in-columns");
  await page.goto(`/licenses/${licenseId}`);
  await inspect(page, "labels-of-a-license");
  await page.getByRole("button", { name: "Edit customer" }).click();
  await inspect(page, "labels-edited");
  await page.getByRole("button", { name: "Edit tags" }).click();
  await inspect(page, "labels-edited-tags");
});
