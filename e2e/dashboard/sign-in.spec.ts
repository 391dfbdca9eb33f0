import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { expect, newUser, test } from "../support/dashboard.ts";

test("a visitor who is not signed in signs in and arrives where they wanted to go", async ({ page, reseller }) => {
  const user = await newUser(reseller.resellerId);
  await page.goto("/licenses?status=active&q=web");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Flicenses%3Fstatus%3Dactive%26q%3Dweb$/);
  await expect(page).toHaveTitle("Sign in · License Desk");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/licenses\?status=active&q=web$/);
  await expect(page.getByRole("heading", { name: "Licenses" })).toBeVisible();
});

test("a wrong password is refused without saying which of the two is wrong", async ({ page, reseller, tolerate }) => {
  tolerate(/401/);
  const user = await newUser(reseller.resellerId);
  await page.goto("/sign-in");
  for (const [email, password] of [
    [user.email, "not the password"],
    ["nobody@user.example", user.password],
  ] as const) {
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Email or password is wrong" })).toBeVisible();
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    await page.reload();
  }
});

test("an account that strangers hammer delays them, and not its owner on a device that has signed in before", {
  tag: "@desktop",
}, async ({ page, context, reseller, browser, apiUrl }) => {
  test.slow();
  const user = await newUser(reseller.resellerId);
  const signIn = async (at: Page) => {
    await at.goto(`${apiUrl}/sign-in`);
    await at.getByLabel("Email").fill(user.email);
    await at.getByLabel("Password", { exact: true }).fill(user.password);
    const startedAtMs = Date.now();
    await at.getByRole("button", { name: "Sign in" }).click();
    return async () => {
      await expect(at).toHaveURL(/\/overview$/, { timeout: 20_000 });
      return Date.now() - startedAtMs;
    };
  };
  await (await signIn(page))();
  const known = (await context.cookies(`${apiUrl}/api/auth`)).find(({ name }) => name.endsWith("known-device"));
  expect(known).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/" });
  expect(known?.value).not.toContain(user.email);
  await context.clearCookies({ name: "license-desk.session-token" });

  const query = getRuntime().db.query;
  const text =
    "insert into sign_in_attempts (key, count, last_at) values (sha256($1::bytea), 10000, clock_timestamp())";
  await query(sql(text), [`account:${user.email}`]);
  const stranger = await (await browser.newContext()).newPage();
  const strangerIn = await signIn(stranger);
  expect(await (await signIn(page))()).toBeLessThan(10_000);
  await expect(stranger.getByText("Signing in is slowed down after wrong passwords")).toBeVisible();
  expect(await strangerIn()).toBeGreaterThanOrEqual(10_000);
  await stranger.context().close();
});

test("a server that is too busy to check a password says so, and not that it is wrong", async ({ page, tolerate }) => {
  tolerate(/401/);
  await page.route("**/api/auth/callback/credentials", (route) =>
    route.fulfill({
      status: 401,
      json: { url: new URL("/api/auth/error?error=busy%3A5", route.request().url()).href },
    }),
  );
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill("someone@user.example");
  await page.getByLabel("Password", { exact: true }).fill("whatever it is");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "too busy to sign you in" })).toBeVisible();
});

test("an idle session ends, and leads back to signing in", async ({ page, login, reseller }) => {
  const user = await login(reseller);
  await page.goto("/wallet");
  const text = "update sessions set idle_at = clock_timestamp() where user_id = $1";
  await getRuntime().db.query(sql(text), [user.userId]);
  await page.goto("/wallet");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fwallet$/);
});

test("signing out with a one-time password ends the session, also for a copy of its cookie", async ({
  page,
  login,
  reseller,
  context,
}) => {
  const user = await login(reseller);
  const { session, user: users } = getRuntime().db.prisma;
  const oneTimePasswordUntil = new Date(Date.now() + 86_400_000);
  await users.update({ where: { id: user.userId }, data: { oneTimePasswordUntil } });
  await page.goto("/wallet");
  await expect(page).toHaveURL(/\/new-password$/);
  const cookies = await context.cookies();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  expect(await session.count({ where: { userId: user.userId, revokedAt: null } })).toBe(0);
  await context.addCookies(cookies);
  await page.goto("/new-password");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("the way back after signing in never leads to another site", async ({ page, reseller }) => {
  const user = await newUser(reseller.resellerId);
  await page.goto("/sign-in?next=//elsewhere.example/licenses");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});

test("who is signed in already is sent on from the form", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/sign-in?next=/wallet");
  await expect(page).toHaveURL(/\/wallet$/);
});

test("signing out ends the session at once, also for a copy of its cookie", async ({
  page,
  login,
  reseller,
  context,
}) => {
  await login(reseller);
  await page.goto("/");
  await expect(page).toHaveURL(/\/overview$/);
  const cookies = await context.cookies();
  await page.getByRole("button", { name: /account of Robin Example/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await context.addCookies(cookies);
  await page.goto("/wallet");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fwallet$/);
});

test("after signing out, going back shows nothing of what was there", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/overview");
  await page.getByRole("link", { name: "Wallet", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Wallet" })).toBeVisible();
  await page.evaluate(() => localStorage.setItem("palette-recent:7", '[{"href":"/licenses/1","label":"web1"}]'));
  await page.getByRole("button", { name: /account of Robin Example/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByRole("heading", { name: "Wallet" })).toHaveCount(0);
  expect(await page.content()).not.toContain("Robin Example");
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("an address that is no page says so, signed in or not", async ({ page, login, reseller, tolerate }) => {
  tolerate(/404/);
  await page.goto("/nothing-here");
  await expect(page.getByText("The address may be mistyped")).toBeVisible();
  await login(reseller);
  await page.getByRole("link", { name: "Go to Overview" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});

test("an address too long for the headers of a redirect is not kept for the way back", async ({ page }) => {
  const ask = (length: number) =>
    page.request.get(`/licenses?q=${encodeURIComponent("😀").repeat(length)}`, { maxRedirects: 0 });
  const short = await ask(10);
  expect([short.status(), short.headers().location]).toEqual([
    307,
    expect.stringContaining("/sign-in?next=%2Flicenses"),
  ]);
  const long = await ask(600);
  expect([long.status(), long.headers().location]).toEqual([307, "/sign-in"]);
});

test("a password is shown and hidden where it is typed", async ({ page }) => {
  await page.goto("/sign-in");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("a long one");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
});
