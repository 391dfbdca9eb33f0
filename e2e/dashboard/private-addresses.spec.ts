import { expect, test } from "../support/dashboard.ts";

test("contract 1.8: moving a license, a bundle or a whole server to a private address asks first", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const privately = (host: number) => `10.${reseller.resellerId >> 8}.${reseller.resellerId & 255}.${host}`;
  const license = await reseller.newLicense();
  const offer = await reseller.newBundle([{}], { price: 2000n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: reseller.newAddress(),
  });
  for (const [index, path] of [
    `/licenses/${license.license_id}`,
    `/bundles/${body.data.bundle_instance_id}`,
  ].entries()) {
    const address = privately(index + 1);
    await page.goto(path);
    await page.getByRole("button", { name: "Change IP" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("New address").fill(address);
    const move = dialog.locator("button[type=submit]");
    await move.click();
    await expect(dialog.getByRole("alert").filter({ hasText: `${address} is a private address` })).toBeVisible();
    await dialog.getByRole("checkbox", { name: `${address} is intended` }).check();
    await move.click();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText(`Moved to ${address}`);
  }

  const to = privately(3);
  await page.goto(`/relocations?from=${privately(1)}&to=${to}`);
  await page.getByRole("button", { name: `Move 1 to ${to}` }).click();
  await expect(page.getByRole("alert").filter({ hasText: `${to} is a private address` })).toBeVisible();
  await page.getByRole("checkbox", { name: `${to} is intended` }).check();
  await page.getByRole("button", { name: `Move 1 to ${to}` }).click();
  await expect(page.getByText("Finished: 1 done")).toBeVisible();
});
