import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { totpCode } from "#tests/support/totp.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("setting up a second factor, signing in with it and confirming are accessible and fit", async ({
  page,
  context,
  login,
  reseller,
  tolerate,
}) => {
  test.slow();
  tolerate(/401/);
  const user = await login(reseller);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  await inspect(page, "second-factor-set-up");
  const dialog = page.getByRole("dialog");
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("list", { name: "Recovery codes" })).toBeVisible();
  await inspect(page, "second-factor-codes");
  await page.getByRole("button", { name: "I have saved them" }).click();
  await inspect(page, "second-factor-settings");
  const age = "update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1";
  await getRuntime().db.query(sql(age), [user.userId]);
  await page.getByRole("button", { name: "Remove authenticator app" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("dialog", { name: "Confirm it's you" })).toBeVisible();
  await inspect(page, "second-factor-confirm");
  await context.clearCookies();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  await inspect(page, "second-factor-code");
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill("wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Wrong or used code. Check it")).toBeVisible();
  await inspect(page, "second-factor-recovery");
});
