import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { totpCode } from "#tests/support/totp.ts";
import { expect, newUser, type TestUser, test, untilHydrated } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

const STEP_MS = 30_000;
/** Arrived, not on the way: `/sign-in?next=/wallet` ends like it. */
const WALLET = /:\d+\/wallet$/;

async function givePassword(page: Page, user: TestUser): Promise<void> {
  await page.goto("/sign-in?next=/wallet");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Turns the authenticator app on; returns its key and the recovery codes. */
async function setUp(page: Page): Promise<{ readonly secret: string; readonly recoveryCodes: readonly string[] }> {
  await page.goto("/settings");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  const recoveryCodes = await codes.allTextContents();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 of 10 left")).toBeVisible();
  return { secret, recoveryCodes };
}

/** A code is accepted once; the next step's is accepted early. */
const nextCode = (secret: string) => totpCode(secret, new Date(Date.now() + STEP_MS));

test("a user turns on the authenticator app, then signs in with password and code, or a recovery code", async ({
  page,
  context,
  reseller,
  tolerate,
}) => {
  test.slow();
  tolerate(/401/);
  const user = await newUser(reseller.resellerId);
  await givePassword(page, user);
  await expect(page).toHaveURL(WALLET);
  const { secret, recoveryCodes } = await setUp(page);

  await context.clearCookies();
  await givePassword(page, user);
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  expect((await context.cookies()).filter(({ name }) => name.includes("session-token"))).toEqual([]);
  const elsewhere = await context.newPage();
  await elsewhere.goto("/wallet");
  await expect(elsewhere).toHaveURL(/\/sign-in/);
  await elsewhere.close();
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Wrong or used code. Wait for the next one")).toBeVisible();
  await code.fill(nextCode(secret));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(WALLET);

  await context.clearCookies();
  await givePassword(page, user);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(WALLET);
  await page.goto("/settings");
  await expect(page.getByText("9 of 10 left")).toBeVisible();
});

test("a user who signs in by one of the last recovery codes is warned on every page until they are replaced, and without one referred to an administrator", async ({
  page,
  context,
  login,
  reseller,
  tolerate,
}) => {
  test.slow();
  tolerate(/401/);
  const user = await login(reseller);
  const session = await context.cookies();
  const { recoveryCodes } = await setUp(page);
  const { prisma } = getRuntime().db;
  const enterByRecoveryCode = async (code: string) => {
    await context.clearCookies();
    await givePassword(page, user);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(code);
    await page.keyboard.press("Enter");
  };
  const warning = page.getByRole("region", { name: "Recovery codes" });
  await enterByRecoveryCode(recoveryCodes[0] ?? "");
  await expect(page).toHaveURL(WALLET);
  await expect(warning).toHaveCount(0);
  const [, last, ...used] = await prisma.recoveryCode.findMany({ where: { userId: user.userId } });
  await prisma.recoveryCode.deleteMany({ where: { userId: user.userId, hash: { in: used.map(({ hash }) => hash) } } });
  await page.reload();
  await expect(warning).toContainText("Only 2 recovery codes left.");
  await inspect(page, "second-factor-few-codes");
  await prisma.recoveryCode.deleteMany({ where: { userId: user.userId } });
  await page.reload();
  await expect(warning).toContainText("No recovery code is left.");
  await enterByRecoveryCode("wrong");
  await expect(page.getByLabel("Recovery code")).toHaveAccessibleDescription(
    /None left\? A License Desk administrator/,
  );
  await inspect(page, "second-factor-recovery");
  if (last) await prisma.recoveryCode.create({ data: last });
  await context.addCookies(session);
  await page.goto("/wallet");
  await expect(warning).toContainText("Only 1 recovery code left.");
  await warning.getByRole("link", { name: "Replace them" }).click();
  await page.getByRole("button", { name: "Replace recovery codes" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 of 10 left")).toBeVisible();
  await expect(warning).toHaveCount(0);
});

test("an authenticator app set up in two tabs says in the older one that its key was replaced", async ({
  page,
  context,
  login,
  reseller,
}) => {
  await login(reseller);
  const begin = async (tab: Page) => {
    await tab.goto("/settings");
    await tab.getByRole("button", { name: "Set up authenticator app" }).click();
    return (await tab.getByRole("dialog").locator("code").textContent()) ?? "";
  };
  const key = await begin(page);
  await begin(await context.newPage());
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Code", { exact: true }).fill(totpCode(key, new Date()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    /Another key was shown since.*Delete its entry from the authenticator app/,
  );
});

test("a code given too late leads back to the password", async ({ page, context, login, reseller, tolerate }) => {
  tolerate(/401/);
  const user = await login(reseller);
  const { secret } = await setUp(page);
  await context.clearCookies();
  await givePassword(page, user);
  await expect(page.getByLabel("Code", { exact: true })).toBeVisible();
  const expire = "update pending_sign_ins set expires_at = clock_timestamp() where user_id = $1";
  await getRuntime().db.query(sql(expire), [user.userId]);
  await page.getByLabel("Code", { exact: true }).fill(nextCode(secret));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Your password was entered too long ago")).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
});

test("a session that has ended continues after password and code, with what was filled in", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/401/);
  const user = await login(reseller);
  const { secret } = await setUp(page);
  await page.getByLabel("Name").fill("Robin Renamed");
  await getRuntime().db.query(sql("update sessions set idle_at = clock_timestamp() where user_id = $1"), [user.userId]);
  await page.getByRole("button", { name: "Save profile" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in to continue" });
  await dialog.getByLabel("Password", { exact: true }).fill(user.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.getByLabel("Code", { exact: true }).fill(nextCode(secret));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Profile saved")).toBeVisible();
});

test("a sensitive change asks for the code again after ten minutes, then continues", async ({
  page,
  login,
  reseller,
}) => {
  const user = await login(reseller);
  const { secret } = await setUp(page);
  const age = "update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1";
  await getRuntime().db.query(sql(age), [user.userId]);
  await page.getByRole("button", { name: "Replace recovery codes" }).click();
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Code", { exact: true }).fill("000000");
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(proof.getByText("Code is not right.")).toBeVisible();
  await proof.getByLabel("Code", { exact: true }).fill(nextCode(secret));
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText("Save them now: they are not shown again")).toBeVisible();
  await page.getByRole("button", { name: "I have saved them" }).click();

  await page.getByRole("button", { name: "Remove authenticator app" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("button", { name: "Set up authenticator app" })).toBeVisible();
});

test("without a second factor, the password is asked; giving up changes nothing", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  const age = "update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1";
  await getRuntime().db.query(sql(age), [user.userId]);
  await page.goto("/settings");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await proof.getByLabel("Password", { exact: true }).fill(user.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  await untilHydrated(page);
});
