import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { totpCode } from "#tests/support/totp.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { startOwnServer } from "../support/own-server.ts";

/** From the button to the saved recovery codes. */
async function setUp(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
  await page.getByRole("button", { name: "I have saved them" }).click();
}

test("an owner requires two-step sign-in; a colleague without it sets it up before anything else", async ({
  page,
  login,
  reseller,
  browser,
  apiUrl,
}) => {
  test.slow();
  await login(reseller);
  await page.goto("/settings/team");
  await page.getByRole("button", { name: "Require for everyone" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Require for everyone" }).click();
  await expect(page.getByText("Set up two-step sign-in for yourself first")).toBeVisible();
  await page.goto("/settings");
  await setUp(page);
  await page.goto("/settings/team");
  await page.getByRole("button", { name: "Require for everyone" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Require for everyone" }).click();
  await expect(page.getByText("Required. Until they set up a second factor, users can do nothing else.")).toBeVisible();

  const colleague = await newUser(reseller.resellerId, "Ada Example");
  const elsewhere = await browser.newContext({ baseURL: apiUrl });
  await signInAs(elsewhere, colleague, apiUrl);
  const other = await elsewhere.newPage();
  for (const path of ["/wallet", "/settings", "/api-keys"]) {
    await other.goto(path);
    await expect(other).toHaveURL(/\/second-factor$/);
  }
  await setUp(other);
  await other.getByRole("link", { name: "Continue" }).click();
  await expect(other).toHaveURL(/\/overview$/);
  await other.goto("/settings");
  await other.getByRole("button", { name: "Remove authenticator app" }).click();
  await other.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(other.getByText("Two-step sign-in is required for you")).toBeVisible();
  await elsewhere.close();
  const audit = await getRuntime().db.prisma.auditEntry.findMany({ where: { action: "reseller.set_factor_rule" } });
  expect(audit.some(({ resellerId }) => resellerId === reseller.resellerId)).toBe(true);
});

test("where others reach the server, an admin without a second factor does nothing before setting one up", async ({
  page,
  context,
}) => {
  test.slow();
  const server = await startOwnServer("server", { HOST: "0.0.0.0", LOG_LEVEL: "silent" });
  try {
    await signInAs(context, await newUser(null, "Ada Admin"), server.url);
    for (const path of ["/users", "/resellers", "/settings", "/audit"]) {
      await page.goto(server.url + path);
      await expect(page).toHaveURL(/\/second-factor$/);
    }
    await setUp(page);
    await page.getByRole("link", { name: "Continue" }).click();
    await page.goto(`${server.url}/users`);
    await expect(page.getByRole("row").filter({ hasText: "(you)" })).toContainText("App");
    const colleague = await newUser(null, "Ben Bare");
    await page.reload();
    await expect(page.getByRole("row").filter({ hasText: colleague.email })).toContainText("Missing");
  } finally {
    await server.stop();
  }
});

test("an authenticator app that is set up in a tab of another user becomes nobody's", async ({
  page,
  context,
  reseller,
  apiUrl,
}) => {
  await getRuntime().db.prisma.reseller.update({
    where: { id: reseller.resellerId },
    data: { requiresSecondFactor: true },
  });
  const alice = await newUser(reseller.resellerId, "Alice Example");
  const bob = await newUser(reseller.resellerId, "Bob Example");
  await signInAs(context, alice, apiUrl);
  await page.goto("/second-factor");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await signInAs(context, bob, apiUrl);
  await dialog.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByText("This page belongs to another user")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await expect(page.getByText("This page belongs to another user")).toBeVisible();
  expect(await getRuntime().db.prisma.totpFactor.count({ where: { userId: bob.userId } })).toBe(0);
});
