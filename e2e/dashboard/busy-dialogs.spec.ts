import type { Page } from "@playwright/test";
import { expect, test } from "../support/dashboard.ts";
import { setLicense } from "../support/world.ts";

/** Where the provider carries out what it is asked and does not answer. */
const SILENT = "192.0.2.20";

async function chooseAction(page: Page, name: string) {
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}

const dialogs = {
  Suspend: { field: "Reason", typed: "Payment overdue", confirm: "Suspend" },
  Terminate: { field: /^Type lic_/, typed: null, confirm: "Terminate for good" },
  "Change IP": { field: "New address", typed: "198.51.100.77", confirm: "Change IP" },
  "Change cores": { field: "Cores", typed: "3", confirm: /^Change/ },
} as const;

for (const [opener, { field, typed, confirm }] of Object.entries(dialogs)) {
  test(`what was typed into "${opener}" stays when another operation is under way, and the dialog says so`, async ({
    page,
    login,
    reseller,
  }) => {
    await login(reseller);
    const { license_id } = await reseller.newLicense({ product: { price: 1800n, pricePerCore: 650n } });
    await setLicense(license_id, { movedTo: SILENT });
    await page.goto(`/licenses/${license_id}`);
    if (opener === "Terminate") await chooseAction(page, opener);
    else await page.getByRole("button", { name: opener }).click();
    const dialog = page.getByRole("dialog");
    const text = typed ?? `lic_${license_id}`;
    await dialog.getByLabel(field).fill(text);
    const renewal = await reseller.dispatch.post("license.renew", { license_id });
    expect(renewal.status).toBe(202);
    await dialog.getByRole("button", { name: confirm }).last().click();
    await expect(dialog.getByRole("alert")).toContainText("Another operation on this license or bundle is under way.");
    await expect(page.getByText("Renewal not confirmed yet")).toBeAttached();
    await expect(dialog.getByLabel(field)).toHaveValue(text);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("button", { name: opener })).toHaveCount(0);
  });
}

test("a bundle's new address stays when another operation is under way, and the dialog says so", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const offer = await reseller.newBundle([{}, {}], { price: 2000n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: reseller.newAddress(),
  });
  const { bundle_instance_id, licenses } = body.data;
  for (const { license_id } of licenses) await setLicense(license_id, { movedTo: SILENT });
  await page.goto(`/bundles/${bundle_instance_id}`);
  await page.getByRole("button", { name: "Change IP" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New address").fill("198.51.100.77");
  await reseller.dispatch.post("bundle.renew", { bundle_instance_id });
  await dialog.getByRole("button", { name: "Move 2 licenses" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Another operation on this license or bundle is under way.");
  await expect(page.getByText("Bundle renewal not confirmed yet")).toBeAttached();
  await expect(dialog.getByLabel("New address")).toHaveValue("198.51.100.77");
});
