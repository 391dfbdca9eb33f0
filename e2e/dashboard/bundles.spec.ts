import { getRuntime } from "#lib/runtime.ts";
import { topUpWallet } from "#lib/services/wallet/top-up.ts";
import { expect, onDesktop, shownBalance, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, reconcile, systemContext } from "../support/world.ts";

/** A bundle of two products, bought by the API. */
async function buy(reseller: Reseller, price = 2990n) {
  const offer = await reseller.newBundle([{}, {}], { price });
  const ip = reseller.newAddress();
  const { body } = await reseller.dispatch.post("bundle.register", {
    bundle_id: offer.bundle_id,
    cycle_id: offer.cycle_id,
    ip_address: ip,
  });
  return { id: Number(body.data.bundle_instance_id), ip, offer };
}

test("a bundle is registered at the price that was shown, and listed with its licenses", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const offer = await reseller.newBundle([{}, {}], { price: 2990n, setupFee: 500n });
  await getRuntime().db.prisma.bundle.update({ where: { id: offer.bundle_id }, data: { name: "Hosting Suite" } });
  await page.goto("/bundles");
  await expect(page.getByText("No bundles yet")).toBeVisible();
  await page.getByRole("link", { name: "Register Hosting Suite" }).click();
  await expect(page.getByRole("radio", { name: /Hosting Suite/ })).toBeChecked();
  await page.getByLabel("Auto-renew").check();
  await expect(page.getByRole("region", { name: "Summary" })).toContainText("Available balance after$965.10");
  await page.getByRole("button", { name: "Register for $34.90" }).click();
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/Enter the server's IPv4 address\./);
  const address = reseller.newAddress();
  await page.getByLabel("Address").fill(address);
  await page.getByRole("button", { name: "Register for $34.90" }).click();
  await expect(page.getByRole("heading", { name: "Hosting Suite" })).toBeVisible();
  await expect(page.getByRole("switch", { name: "Renew before it expires", exact: true })).toBeChecked();
  await expect(page.getByRole("table", { name: "Licenses of the bundle" }).getByRole("row")).toHaveCount(3);
  await expect(shownBalance(page)).toContainText("$965.10");
  await page.getByRole("link", { name: "View in license list" }).click();
  await expect(page).toHaveURL(/\/licenses\?instance=\d+$/);
  await expect(page.getByRole("table", { name: "Licenses" }).getByRole("row")).toHaveCount(3);
  await page.goBack();
  await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link", { name: "Bundles" }).click();
  const row = page.getByRole("table", { name: "Your bundles" }).getByRole("row").last();
  await expect(row).toContainText(address);
  await expect(row).toContainText("$29.90");
});

test("a bundle renews with all its licenses at the price that was shown", async ({ page, login, reseller }) => {
  await login(reseller);
  const { id } = await buy(reseller);
  await page.goto(`/bundles/${id}`);
  await page.getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog", { name: "Renew this bundle?" });
  await expect(dialog).toContainText("Available balance after$940.20");
  const promised = await dialog.locator("time").last().getAttribute("datetime");
  await dialog.getByRole("button", { name: "Renew for $29.90" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Available balance: $940.20.");
  const members = await getRuntime().db.prisma.license.findMany({ where: { bundleInstanceId: id } });
  expect(members.map(({ expiresAt }) => expiresAt.toISOString())).toEqual([promised, promised]);
});

test("a change of address names every license that moves, and moves them all", async ({ page, login, reseller }) => {
  await login(reseller);
  const { id, ip } = await buy(reseller);
  const target = reseller.newAddress();
  const members = await getRuntime().db.prisma.license.findMany({ where: { bundleInstanceId: id } });
  await page.goto(`/bundles/${id}`);
  await page.getByRole("button", { name: "Change IP" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the IP?" });
  await dialog.getByRole("button", { name: "Move 2 licenses" }).click();
  await expect(dialog.getByLabel("New address")).toHaveAccessibleDescription(/must be an IPv4 address/);
  await dialog.getByLabel("New address").fill(target);
  for (const member of members) {
    const line = dialog.getByRole("listitem").filter({ hasText: `lic_${member.id}` });
    await expect(line).toContainText(ip);
    await expect(line).toContainText(target);
  }
  await dialog.getByRole("button", { name: "Move 2 licenses" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(`Moved to ${target}`);
  const moved = await getRuntime().db.prisma.license.findMany({ where: { bundleInstanceId: id } });
  expect(moved.map(({ ipAddress }) => ipAddress)).toEqual([target, target]);
});

test(
  "a bundle's charges are linked to it, and lead back to what it has cost",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { id } = await buy(reseller);
    await reseller.newLicense();
    await page.goto("/wallet");
    await page
      .getByRole("table", { name: "Ledger" })
      .getByRole("row")
      .filter({ hasText: `bundle ${id}` })
      .getByRole("link")
      .click();
    await page.getByRole("link", { name: "View charges" }).click();
    const rows = page.getByRole("table", { name: "Ledger" }).getByRole("row");
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText("−$29.90");
  },
);

test(
  "an open change is named, on the bundle's page with a link to the license that it is of, and the other way round",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { id } = await buy(reseller);
    const { prisma } = getRuntime().db;
    const [member] = await prisma.license.findMany({ where: { bundleInstanceId: id }, orderBy: { id: "asc" } });
    const name = `lic_${member?.id}`;
    await prisma.license.updateMany({ where: { id: member?.id ?? 0 }, data: { ipAddress: "192.0.2.20" } });
    await reseller.dispatch.post("license.suspend", { license_id: member?.id ?? 0 });
    await page.goto(`/bundles/${id}`);
    await expect(page.getByText("Suspension not confirmed yet")).toBeVisible();
    await page.getByText(`Started`).getByRole("link", { name }).click();
    await expect(page).toHaveURL(`/licenses/${member?.id}`);
    await expect(page.getByText("Suspension not confirmed yet")).toBeVisible();
    const suspension = await prisma.operation.findFirstOrThrow({ where: { licenseId: member?.id ?? 0 } });
    await reconcile(suspension.id);
    await reseller.dispatch.post("bundle.renew", { bundle_instance_id: id });
    await page.reload();
    await expect(page.getByText("Bundle renewal not confirmed yet")).toBeVisible();
    await page
      .getByText("$29.90 held")
      .getByRole("link", { name: `bundle ${id}` })
      .click();
    await expect(page).toHaveURL(`/bundles/${id}`);
    await expect(page.getByText("Bundle renewal not confirmed yet")).toBeVisible();
  },
);

test("another reseller's bundle is not found", onDesktop, async ({ login, reseller, newReseller, expectNothingAt }) => {
  const { id } = await buy(await newReseller());
  await login(reseller);
  for (const wrong of [id, 2147483647, "0", "abc"]) {
    await expectNothingAt(`/bundles/${wrong}`);
  }
});

test("automatic renewal says first what it will cost and when, and is kept", async ({ page, login, reseller }) => {
  await login(reseller);
  const license = await reseller.newLicense({ product: { price: 1450n } });
  const bundle = await buy(reseller);
  for (const { path, price } of [
    { path: `/licenses/${license.license_id}`, price: "$14.50 per month" },
    { path: `/bundles/${bundle.id}`, price: "$29.90 per month" },
  ]) {
    await page.goto(path);
    const card = page.getByRole("region", { name: "Automatic renewal" });
    await expect(card).toContainText(/Expires on .* With auto-renew, it renews on/);
    await expect(card).toContainText(price);
    await card.getByRole("switch").check();
    await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Auto-renew is on");
    await expect(card).toContainText("if the balance covers it");
    await page.reload();
    await expect(card.getByRole("switch")).toBeChecked();
  }
  await page.getByRole("region", { name: "Automatic renewal" }).getByRole("switch").uncheck();
  await expect(page.getByRole("region", { name: "Automatic renewal" })).toContainText("Expires on");
  // The switch answers at once; what it says is true a moment later.
  const isKept = async () =>
    (await getRuntime().db.prisma.bundleInstance.findFirstOrThrow({ where: { id: bundle.id } })).autoRenew;
  await expect.poll(isKept).toBe(false);
});

/** The worker does it meanwhile. */

test("bundles are renewed together for what was told before, and what the balance did not cover is retried", async ({
  page,
  login,
  newReseller,
}) => {
  const reseller = await newReseller({ funds: "100" });
  await login(reseller);
  const first = await buy(reseller);
  const second = await buy(reseller);
  await page.goto("/bundles");
  const bar = page.getByRole("region", { name: "Selected bundles" });
  await page.getByRole("checkbox", { name: "Select all of this page" }).check();
  await expect(bar.getByRole("status")).toHaveText("2 selected");
  await bar.getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog", { name: "Renew 2 bundles?" });
  await expect(dialog.getByText("Needs $19.60 more")).toBeVisible();
  await dialog.getByRole("button", { name: "Renew 2 for up to $59.80" }).click();
  await expect(page.getByRole("heading", { name: "Renewal of 2 bundles" })).toBeVisible();
  await expect(page.getByText("Finished: 1 done, 1 failed")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$10.30");
  await topUpWallet(systemContext(), { resellerId: reseller.resellerId, amount: "20", note: "" });
  await page.reload();
  await page.getByRole("button", { name: "Retry 1 failed" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Retry for up to $29.90" }).click();
  await expect(page.getByText("Finished: 2 done")).toBeVisible();
  await expect(shownBalance(page)).toContainText("$0.40");
  const results = page.getByRole("table", { name: "Results" });
  for (const { ip } of [first, second]) await expect(results).toContainText(ip);
  await inspect(page, "bulk-bundles-finished");
  await results.getByRole("list", { name: "Licenses of the bundle" }).first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await page.goto("/bundles");
  await expect(page.getByRole("table", { name: "Your bundles" })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test(
  "automatic renewal of bundles is switched together, and what is selected of licenses is not touched",
  onDesktop,
  async ({ page, login, reseller }) => {
    await login(reseller);
    const { id } = await buy(reseller);
    await page.goto("/licenses");
    await page.getByRole("checkbox", { name: "Select all of this page" }).check();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Bundles" }).click();
    const bar = page.getByRole("region", { name: "Selected bundles" });
    await expect(page.getByRole("table", { name: "Your bundles" })).toBeVisible();
    await expect(bar).toHaveCount(0);
    await page.getByRole("checkbox", { name: `Select bundle ${id}` }).check();
    await bar.getByRole("button", { name: "More changes" }).click();
    await expect(page.getByRole("menuitem")).toHaveCount(2);
    await page.getByRole("menuitem", { name: "Turn on auto-renew" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn on for 1" }).click();
    await expect(page.getByText("Finished: 1 done")).toBeVisible();
    await page.goto(`/bundles/${id}`);
    await expect(page.getByRole("region", { name: "Automatic renewal" }).getByRole("switch")).toBeChecked();
  },
);
