import { randomUUID } from "node:crypto";
import { expect, newUser, test } from "../support/dashboard.ts";

test("a visitor who is not signed in signs in and arrives where they wanted to go", async ({ page, reseller }) => {
  const user = await newUser(reseller.resellerId);
  await page.goto("/licenses?status=active&q=web");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Flicenses%3Fstatus%3Dactive%26q%3Dweb$/);
  await expect(page).toHaveTitle("Sign in · License Desk");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password").fill(user.password);
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
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Email or password is wrong" })).toBeVisible();
    await expect(page.getByLabel("Password")).toBeFocused();
    await page.reload();
  }
});

test("after ten attempts a minute the address has to wait", async ({ page, tolerate }) => {
  tolerate(/401/);
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(`${randomUUID()}@user.example`);
  const answered = () => page.waitForResponse((response) => response.url().endsWith("/api/auth/callback/credentials"));
  for (let attempt = 1; attempt <= 11; attempt++) {
    await page.getByLabel("Password").fill(`guess ${attempt}`);
    await Promise.all([answered(), page.getByRole("button", { name: "Sign in" }).click()]);
    await expect(page.getByRole("button", { name: "Sign in" })).not.toHaveAttribute("aria-busy");
  }
  await expect(page.getByRole("alert").filter({ hasText: "Too many attempts" })).toBeVisible();
});

test("the way back after signing in never leads to another site", async ({ page, reseller }) => {
  const user = await newUser(reseller.resellerId);
  await page.goto("/sign-in?next=//elsewhere.example/licenses");
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password").fill(user.password);
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

test("an address that is no page says so, signed in or not", async ({ page, login, reseller, tolerate }) => {
  tolerate(/404/);
  await page.goto("/nothing-here");
  await expect(page.getByText("There is no such page")).toBeVisible();
  await login(reseller);
  await page.getByRole("link", { name: "Go to the start page" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});
