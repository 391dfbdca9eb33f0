import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, shownBalance, type TestUser, test, untilHydrated } from "../support/dashboard.ts";

/** As when it has run out, or was ended elsewhere. */
async function endSessions({ userId }: TestUser): Promise<void> {
  await getRuntime().db.prisma.session.updateMany({ where: { userId }, data: { revokedAt: new Date() } });
}

/** From the form that says that the session has ended, through signing in. */
async function signInAgain(page: Page, { email, password }: TestUser): Promise<void> {
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await untilHydrated(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const isBack = (page: Page) =>
  expect(page.getByRole("region", { name: "Notifications" })).toContainText("What you had filled in is back");

test("a registration sent with an ended session is filled in again after signing in, and charged once", async ({
  page,
  login,
  reseller,
}) => {
  const user = await login(reseller);
  const product = await reseller.newProduct({ price: 1000n });
  await reseller.newCycle(product.product_id, { months: 12, price: 9900n });
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name: product.name }).check();
  await page.getByRole("radio", { name: /\$99\.00/ }).check();
  const address = reseller.newAddress();
  await page.getByLabel("Address").fill(address);
  await page.getByLabel("Notes").fill("Order 4711");
  await endSessions(user);
  await page.getByRole("button", { name: "Register for $99.00" }).click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await signInAgain(page, user);
  await expect(page).toHaveURL(/\/licenses\/new$/);
  await isBack(page);
  await expect(page.getByLabel("Address")).toHaveValue(address);
  await expect(page.getByLabel("Notes")).toHaveValue("Order 4711");
  await page.getByRole("button", { name: "Register for $99.00" }).click();
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$901.00");
});

test("a webhook endpoint's form comes back for its user alone", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const fill = async () => {
    await page.goto("/webhooks/new");
    await page.getByLabel("URL").fill("https://hooks.northwind.example/in");
    await page.getByRole("radio", { name: /Chosen kinds/ }).check();
    await page.getByRole("checkbox", { name: "wallet.topped_up" }).check();
    await page.getByRole("radio", { name: /In order/ }).check();
    await endSessions(user);
    await page.getByRole("button", { name: "Add endpoint" }).click();
    await expect(page.getByText("Your session has ended")).toBeVisible();
  };
  await fill();
  await signInAgain(page, user);
  await isBack(page);
  await expect(page.getByLabel("URL")).toHaveValue("https://hooks.northwind.example/in");
  await expect(page.getByRole("checkbox", { name: "wallet.topped_up" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "license.renewed" })).not.toBeChecked();
  await expect(page.getByRole("radio", { name: /In order/ })).toBeChecked();

  await fill();
  await signInAgain(page, await newUser(reseller.resellerId));
  await expect(page.getByRole("heading", { name: "Add an endpoint" })).toBeVisible();
  await expect(page.getByRole("radio", { name: /Chosen kinds/ })).not.toBeChecked();
  await expect(page.getByLabel("URL")).toHaveValue("");
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
});

test("a dialog that was open is open again, with what was filled in", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const license = await reseller.newLicense();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByLabel("Reason").fill("Payment overdue");
  await endSessions(user);
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByRole("dialog").getByText("Your session has ended")).toBeVisible();
  await signInAgain(page, user);
  await isBack(page);
  await expect(page.getByLabel("Reason")).toHaveValue("Payment overdue");
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByText("Suspended by you")).toBeVisible();
});

test("a dialog that a menu opened is open again", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Terminate…" }).click();
  const dialog = page.getByRole("dialog", { name: `Terminate lic_${license_id}?` });
  await dialog.getByLabel(/^Type lic_/).fill(`lic_${license_id}`);
  await endSessions(user);
  await dialog.getByRole("button", { name: "Terminate for good" }).click();
  await expect(dialog.getByText("Your session has ended")).toBeVisible();
  await signInAgain(page, user);
  await isBack(page);
  await expect(dialog.getByLabel(/^Type lic_/)).toHaveValue(`lic_${license_id}`);
  await expect(page.getByRole("menu")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Terminate for good" }).click();
  await expect(page.getByText("register a new license instead")).toBeVisible();
});

test("a change of many that a menu began is about the same rows again", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const licenses = [await reseller.newLicense(), await reseller.newLicense(), await reseller.newLicense()];
  await page.goto("/licenses");
  for (const { license_id } of licenses.slice(1)) await page.getByLabel(`Select lic_${license_id}`).check();
  await page.getByRole("button", { name: "More changes" }).click();
  await page.getByRole("menuitem", { name: "Suspend" }).click();
  const dialog = page.getByRole("dialog", { name: "Suspend 2 licenses?" });
  await dialog.getByLabel("Reason").fill("Payment overdue");
  await expect(dialog.getByRole("button", { name: "Suspend 2" })).toBeEnabled();
  await endSessions(user);
  await dialog.getByRole("button", { name: "Suspend 2" }).click();
  await expect(dialog.getByText("Your session has ended")).toBeVisible();
  await signInAgain(page, user);
  await isBack(page);
  await expect(dialog.getByLabel("Reason")).toHaveValue("Payment overdue");
  await dialog.getByRole("button", { name: "Suspend 2" }).click();
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
});

test("notes that were edited where they stand are being edited again", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Edit notes" }).click();
  await page.getByRole("textbox", { name: "Notes" }).fill("Rack 4, moved in May");
  await endSessions(user);
  await page.getByRole("button", { name: "Save notes" }).click();
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await signInAgain(page, user);
  await isBack(page);
  await expect(page.getByRole("textbox", { name: "Notes" })).toHaveValue("Rack 4, moved in May");
  await page.getByRole("button", { name: "Save notes" }).click();
  await expect(page.getByText("Notes saved")).toBeVisible();
  await expect(page.getByText("Rack 4, moved in May")).toBeVisible();
});

test("a button without a form says that the session has ended, and leads back to the list as it was", async ({
  page,
  login,
}) => {
  const user = await login("admin");
  await page.goto("/reconciliation?state=resolved");
  await endSessions(user);
  await page.getByRole("button", { name: "Compare now" }).click();
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await signInAgain(page, user);
  await expect(page).toHaveURL(/\/reconciliation\?state=resolved$/);
});
