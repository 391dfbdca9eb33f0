import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";

/** Two licenses and a bundle of two on one address; returns the product of the first license. */
async function furnish(reseller: Reseller) {
  const from = reseller.newAddress();
  const first = await reseller.newLicense({ ip: from });
  const second = await reseller.newLicense({ ip: from });
  const offer = await reseller.newBundle([{}, {}], { price: 2000n });
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: from,
  });
  return { from, first, second, bundleId: Number(body.data.bundle_instance_id) };
}

test("everything on an address is shown before it moves, then moves, for nothing", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { from, first, bundleId } = await furnish(reseller);
  const to = reseller.newAddress();
  await page.goto("/relocations");
  await page.getByLabel("Old address").fill(from);
  await page.getByLabel("New address").fill(from);
  await page.getByRole("button", { name: "See what would move" }).click();
  await expect(page.getByLabel("New address")).toHaveAccessibleDescription(/another address than the old one/);
  await page.getByLabel("New address").fill(to);
  await page.getByRole("button", { name: "See what would move" }).click();
  const planned = page.getByRole("table", { name: "On the old address" });
  await expect(planned.getByRole("row").filter({ hasText: first.name })).toContainText("Moves");
  await expect(planned.getByRole("row").filter({ hasText: `bundle ${bundleId}` })).toContainText("Moves");
  await expect(page.getByRole("region", { name: "Relocation" })).toContainText("CostFree");
  const before = await shownBalance(page).innerText();
  await page.getByRole("button", { name: `Move 3 to ${to}` }).click();
  await expect(page.getByText("Finished: 3 done")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Relocation ${from} → ${to}`);
  await expect(page.getByRole("table", { name: "Results" }).getByRole("row").filter({ hasText: to })).toHaveCount(3);
  expect(await shownBalance(page).innerText()).toBe(before);
  await page.goBack();
  await expect(page, "what has moved is not offered again").toHaveURL(new RegExp(`to=${from}$`));
  await page.goForward();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Jobs" }).click();
  const past = page.getByRole("table", { name: "Jobs" }).getByRole("row").filter({ hasText: to });
  await expect(past).toContainText("3 of 3");
  await past.getByRole("link").click();
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
  await page.goto("/relocations");
  await expect(page.getByRole("table", { name: "Recent relocations" })).toContainText(`${from} → ${to}`);
});

test(
  "a product that the new address has already is found before anything moves",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { from, first, second } = await furnish(reseller);
    const to = reseller.newAddress();
    const { body } = await reseller.dispatch.post("license.register", {
      product_id: first.product_id,
      cycle_id: first.cycle_id,
      ip_address: to,
    });
    await page.goto(`/relocations?from=${from}&to=${to}`);
    await expect(page.getByText(`One product is on ${to} already`)).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: first.name })).toContainText("Clash");
    await expect(page.getByRole("row").filter({ hasText: second.name })).toContainText("Would move");
    await expect(page.getByRole("button", { name: /^Move \d/ })).toHaveCount(0);
    await page.getByRole("link", { name: `lic_${body.data.license_id}` }).click();
    await expect(page).toHaveURL(new RegExp(`/licenses/${body.data.license_id}$`));
  },
);

test(
  "when one part is refused, what had moved is moved back, and each result says so",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { from, first, bundleId } = await furnish(reseller);
    // The provider takes a license there, and refuses the last member of a bundle.
    await page.goto(`/relocations?from=${from}&to=192.0.2.50`);
    await page.getByRole("button", { name: "Move 3 to 192.0.2.50" }).click();
    await expect(page.getByText(/^Finished: .*1 failed, 2 reverted/)).toBeVisible();
    const results = page.getByRole("table", { name: "Results" });
    await expect(results.getByRole("row").filter({ hasText: `lic_${first.license_id}` })).toContainText("Reverted");
    const failed = results.getByRole("row").filter({ hasText: "rejected the bundle's last member" });
    await expect(failed).toContainText("Failed");
    await expect(failed).toContainText(`bundle ${bundleId}`);
    await expect(results.getByRole("columnheader", { name: "Charged" })).toHaveCount(0);
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("button", { name: "Move 3 to 192.0.2.50" })).toBeVisible();
    await page.goto(`/bundles/${bundleId}`);
    await expect(page.getByRole("region", { name: "Bundle" })).toContainText(from);
    await page.goto("/relocations");
    const past = page.getByRole("table", { name: "Recent relocations" });
    await expect(past.getByRole("row").filter({ hasText: "192.0.2.50" })).toContainText("2 reverted");
    await expect(past.getByRole("columnheader", { name: "Charged" })).toHaveCount(0);
  },
);
