import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import {
  compareBooks,
  extendAtProvider,
  findCaseId,
  findUnknownCaseId,
  furnishInbox,
  holdUnknownAtProvider,
} from "../support/inbox.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, setLicense } from "../support/world.ts";

/** A reseller with a license in every state, and the one that is active. */
async function furnish(reseller: Reseller): Promise<{ readonly active: number; readonly pending: number }> {
  const product = await reseller.newProduct({ price: 1450n, setupFee: 500n });
  await getRuntime().db.prisma.product.update({ where: { id: product.product_id }, data: { name: "Mail Gateway" } });
  const register = async (ip: string, notes = "") => {
    const { body } = await reseller.dispatch.post("license.register", {
      product_id: product.product_id,
      cycle_id: product.cycle_id,
      ip_address: ip,
      notes,
    });
    return body.data;
  };
  const named = async (host: string) => {
    const license = await register(reseller.newAddress(), "Order 4711");
    await reseller.path.post("/license/update", { license_key: license.license_key, hostname: host });
    return Number(license.license_id);
  };
  await setLicense((await named("old.northwind.example")) as never, "terminated");
  await setLicense((await named("backup.northwind.example")) as never, { expiredDays: 12 });
  const suspended = await named("shop.northwind.example");
  await reseller.dispatch.post("license.suspend", { license_id: suspended, reason: "Payment overdue" });
  const active = await named("web1.northwind.example");
  const pending = await register("192.0.2.20");
  await reseller.newBundle([{}, {}], { price: 2990n });
  return { active, pending: Number(pending.license_id) };
}

test("the page to sign in is accessible and fits", async ({ page }) => {
  await page.goto("/sign-in");
  await inspect(page, "sign-in");
});

test("a reseller's pages are accessible and fit", async ({
  page,
  context,
  reseller,
  newReseller,
  apiUrl,
  expectNothingAt,
}) => {
  test.slow();
  const { active, pending } = await furnish(reseller);
  await signInAs(context, await newUser((await newReseller({ funds: "0" })).resellerId), apiUrl);
  await page.goto("/licenses");
  await inspect(page, "licenses-empty");
  await page.goto("/wallet");
  await inspect(page, "wallet-empty");

  await signInAs(context, await newUser(reseller.resellerId), apiUrl);
  await page.goto("/licenses");
  await expect(page.getByText("web1.northwind.example")).toBeVisible();
  await inspect(page, "licenses");
  await page.goto("/licenses?q=nothing+has+this");
  await inspect(page, "licenses-nothing-found");
  await page.goto("/wallet");
  await inspect(page, "wallet");
  await page.goto(`/licenses/${pending}`);
  await inspect(page, "license-pending");
  await page.goto(`/licenses/${active}`);
  await inspect(page, "license");
  await page.getByRole("button", { name: "Renew" }).click();
  await inspect(page, "license-renew");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Suspend" }).click();
  await inspect(page, "license-suspend");
  await expectNothingAt("/licenses/2147483647");
  await inspect(page, "not-found");
});

test("the form that registers is accessible and fits in each of its states", async ({ page, login, newReseller }) => {
  test.slow();
  const reseller = await newReseller({ funds: "20" });
  await login(reseller);
  await page.goto("/licenses/new");
  await inspect(page, "register");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("There are 2 problems")).toBeVisible();
  await inspect(page, "register-problems");
  await page.getByRole("radio", { name: /Accelerated Web Server/ }).check();
  await inspect(page, "register-chosen");
  await page.getByRole("radio", { name: /Yearly/ }).check();
  await page.getByLabel("Address").fill(reseller.newAddress());
  await page.getByRole("button", { name: /^Register for/ }).click();
  await expect(page.getByText("Nothing was charged.")).toBeVisible();
  await inspect(page, "register-too-little");
  const product = await reseller.newProduct({ price: 100n });
  await page.reload();
  await page.getByRole("radio", { name: product.name }).check();
  await page.getByLabel("Address").fill("192.0.2.20");
  await page.getByRole("button", { name: /^Register for/ }).click();
  await expect(page.getByRole("heading", { name: "Not confirmed yet" })).toBeVisible();
  await inspect(page, "register-pending");
});

test("an admin's pages are accessible and fit", async ({ page, login, reseller }) => {
  await furnish(reseller);
  await login("admin");
  await page.goto("/resellers");
  await inspect(page, "resellers");
  await page.goto("/resellers?q=nothing+has+this");
  await inspect(page, "resellers-nothing-found");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await inspect(page, "reseller");
  await page.getByRole("button", { name: "Top up" }).click();
  await page.getByLabel("Amount in USD").fill("250");
  await inspect(page, "reseller-top-up");
});

test("the reconciliation inbox is accessible and fits", async ({ page, login, newReseller, reseller }) => {
  test.slow();
  const quiet = await newReseller();
  await furnishInbox(reseller);
  await login("admin");
  await page.goto(`/reconciliation?reseller=${reseller.resellerId}`);
  await inspect(page, "reconciliation");
  await page.goto(`/reconciliation?reseller=${quiet.resellerId}&state=resolved`);
  await inspect(page, "reconciliation-empty");
  await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "differs")}`);
  await inspect(page, "case-differs");
  await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "unknown_outcome")}`);
  await inspect(page, "case-unknown");
  await page.goto(`/reconciliation/${await findCaseId(reseller.resellerId, "charged_not_provisioned")}`);
  await page.getByRole("button", { name: "Refund" }).click();
  await inspect(page, "case-refund");

  const lost = await newReseller();
  const license = await lost.newLicense({ product: { price: 1450n } });
  const licenseKey = String(license.license_key);
  await lost.dispatch.post("license.renew", { license_id: license.license_id });
  await extendAtProvider(licenseKey, -1);
  const reference = await holdUnknownAtProvider({ licenseKey, address: lost.newAddress() });
  await compareBooks();
  await page.goto(`/reconciliation/${await findCaseId(lost.resellerId, "differs")}`);
  await inspect(page, "case-term");
  await page.getByRole("button", { name: "Refund" }).click();
  await inspect(page, "case-term-refund");
  await page.goto(`/reconciliation/${await findUnknownCaseId(reference)}`);
  await inspect(page, "case-unknown-here");
});
