import { getRuntime } from "#lib/runtime.ts";
import { findViolations } from "../support/axe.ts";
import { expect, newUser, shownBalance, signInAs, test } from "../support/dashboard.ts";
import { endSessions, signInAgain, signInDialog } from "../support/sign-in-again.ts";

/** A license's page looks for new reports, with the ended session as well. */
const REFUSED_POLL = /status of 401 .*\/newest/;

test("a renewal sent with an ended session goes on after signing in where it was, by the keyboard, and is charged once", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(REFUSED_POLL);
  const user = await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  const before = await shownBalance(page).textContent();
  await page.getByRole("button", { name: "Renew" }).click();
  const dialog = page.getByRole("dialog", { name: "Renew this license?" });
  await endSessions(user);
  await dialog.getByRole("button", { name: /^Renew for/ }).press("Enter");
  const again = signInDialog(page);
  await expect(again.getByLabel("Password", { exact: true })).toBeFocused();
  await expect(again.getByLabel("Email")).toHaveValue(user.email);
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.type(user.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Renewed");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(shownBalance(page)).not.toHaveText(before ?? "");
  const renewals = await getRuntime().db.prisma.operation.count({
    where: { licenseId: license_id, kind: "license_renew" },
  });
  expect(renewals).toBe(1);
});

test("a wrong password is said in the dialog, and the right one goes on", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/status of 401/);
  const user = await login(reseller);
  const license = await reseller.newLicense();
  await page.goto(`/licenses/${license.license_id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await page.getByLabel("Reason").fill("Payment overdue");
  await endSessions(user);
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await signInAgain(signInDialog(page), { ...user, password: "wrong" });
  await expect(signInDialog(page).getByText("Email or password is wrong")).toBeVisible();
  expect(await findViolations(page)).toEqual([]);
  await signInAgain(signInDialog(page), user);
  await expect(page.getByText("Suspended by you")).toBeVisible();
  await expect(page.getByText("Payment overdue", { exact: true })).toBeVisible();
});

test("another user who signs in does not send what was filled in: the page is loaded again as theirs", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(REFUSED_POLL);
  const user = await login(reseller);
  const colleague = await newUser(reseller.resellerId, "Kim Example");
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await endSessions(user);
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await signInAgain(signInDialog(page), colleague);
  const other = page.getByRole("dialog", { name: "Your session has changed" });
  await expect(other).toContainText("Nothing was sent");
  expect(await findViolations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await other.getByRole("button", { name: "Load page again" }).click();
  await expect(page.getByRole("button", { name: /Kim Example/ })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  const license = await getRuntime().db.prisma.license.findFirstOrThrow({ where: { id: license_id } });
  expect(license.suspendedAt).toBeNull();
});

test("what was sent before another user signed in elsewhere is not said to be unsent", async ({
  page,
  context,
  login,
  reseller,
  apiUrl,
}) => {
  await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}`);
  const colleague = await newUser(reseller.resellerId, "Kim Example");
  const { promise: seen, resolve: answer } = Promise.withResolvers<void>();
  await page.route(`**/licenses/${license_id}`, async (route) => {
    const response = await route.fetch();
    await seen;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Renew" }).click();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Renew for/ })
    .click();
  await sent;
  await signInAs(context, colleague, apiUrl);
  const tab = await context.newPage();
  await tab.goto("/wallet");
  const other = page.getByRole("dialog", { name: "Your session has changed" });
  await expect(other).toContainText("Nothing more is sent from it.");
  await expect(other).not.toContainText("Nothing was sent");
  answer();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("Renewed");
});

test("an admin who acted as the reseller does not go on as an admin", async ({ page, login, reseller }) => {
  const admin = await login("admin");
  const { license_id } = await reseller.newLicense();
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: /^Act as/ }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Act as/ })
    .click();
  await expect(page.getByRole("region", { name: "Acting as a reseller" })).toBeVisible();
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("button", { name: "Suspend" }).click();
  await endSessions(admin);
  await page.getByRole("dialog").getByRole("button", { name: "Suspend", exact: true }).click();
  await signInAgain(signInDialog(page), admin);
  await expect(page.getByRole("dialog", { name: "Your session has changed" })).toBeVisible();
  const license = await getRuntime().db.prisma.license.findFirstOrThrow({ where: { id: license_id } });
  expect(license.suspendedAt).toBeNull();
});

test("whoever closes the dialog keeps what they have filled in, and can try again", async ({
  page,
  login,
  reseller,
}) => {
  const user = await login(reseller);
  const product = await reseller.newProduct({ price: 1000n });
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name: product.name }).check();
  const address = reseller.newAddress();
  await page.getByLabel("Address").fill(address);
  await endSessions(user);
  const register = page.getByRole("button", { name: "Register for $10.00" });
  await register.click();
  await expect(signInDialog(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(signInDialog(page)).toHaveCount(0);
  await expect(page.getByText("Your session has ended")).toBeVisible();
  await expect(page.getByLabel("Address")).toHaveValue(address);
  await register.click();
  await signInAgain(signInDialog(page), user);
  await expect(page).toHaveURL(/\/licenses\/\d+$/);
  await expect(shownBalance(page)).toContainText("$990.00");
});

test("a change of many is still about the rows that were selected", async ({ page, login, reseller }) => {
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
  await signInAgain(signInDialog(page), user);
  await expect(page).toHaveURL(/\/jobs\/\d+$/);
});

test("a price is asked for again after signing in", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto("/licenses");
  await page.getByLabel(`Select lic_${license_id}`).check();
  await endSessions(user);
  await page.getByRole("button", { name: "Renew" }).click();
  await signInAgain(signInDialog(page), user);
  await expect(page.getByRole("dialog").getByRole("button", { name: /^Renew 1 for/ })).toBeEnabled();
});

test("a button without a form goes on, too", async ({ page, login }) => {
  const user = await login("admin");
  await page.goto("/reconciliation?state=resolved");
  await endSessions(user);
  await page.getByRole("button", { name: "Compare now" }).click();
  await signInAgain(signInDialog(page), user);
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText(/difference|agree/i);
  await expect(page).toHaveURL(/\/reconciliation\?state=resolved$/);
});

test("signing out without an answer stays and says so; once it is done, the other tabs say so", async ({
  page,
  context,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
  await login(reseller);
  const other = await context.newPage();
  await other.goto("/wallet");
  await page.goto("/settings");
  await context.setOffline(true);
  await page.getByRole("button", { name: /account of/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page.getByText("You may still be signed in")).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  await context.setOffline(false);
  await page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  // Dismissible: what that page shows once, or what was typed there, is not lost.
  await expect(signInDialog(other)).toBeVisible();
  await other.keyboard.press("Escape");
  await expect(signInDialog(other)).toBeHidden();
  await expect(other.getByRole("heading", { name: "Wallet", level: 1 })).toBeVisible();
});
