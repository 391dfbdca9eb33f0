import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { walkIssuer } from "#tests/support/oidc-issuer.ts";
import { totpCode } from "#tests/support/totp.ts";
import { expect, newUser, type TestUser, test } from "../support/dashboard.ts";
import { accountOf, enter, type IssuerServer, LINK, PROOF_LINK, startIssuerServer } from "../support/issuer-server.ts";

test.describe.configure({ timeout: 120_000 });

let desk: IssuerServer;
test.beforeAll(async () => {
  desk = await startIssuerServer();
});
test.afterAll(() => desk.stop());

const at = (path: string) => `${desk.url}${path}`;
const age = (user: TestUser) =>
  getRuntime().db.query(sql("update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1"), [
    user.userId,
  ]);

test("a user signs in at the issuer, proves again there who they are, and goes on where a session has ended", async ({
  page,
  context,
  newReseller,
}) => {
  const user = await newUser((await newReseller()).resellerId);
  await enter(page, desk, accountOf(user.email));
  await expect(page).toHaveURL(at("/wallet"));

  await page.goto(at("/settings"));
  await age(user);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await expect(proof.getByRole("link", { name: PROOF_LINK })).toBeVisible();
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    proof.getByRole("link", { name: PROOF_LINK }).click(),
  ]);
  await expect(tab.getByRole("heading", { name: "Identity confirmed" })).toBeVisible();
  await tab.close();
  await proof.getByRole("button", { name: "I have signed in" }).click();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.getByLabel("Name").fill("Robin Renamed");
  await getRuntime().db.query(sql("update sessions set idle_at = clock_timestamp() where user_id = $1"), [user.userId]);
  await page.getByRole("button", { name: "Save profile" }).click();
  const again = page.getByRole("dialog", { name: "Sign in to continue" });
  const [elsewhere] = await Promise.all([
    context.waitForEvent("page"),
    again.getByRole("link", { name: LINK }).click(),
  ]);
  await expect(elsewhere.getByRole("heading", { name: "Identity confirmed" })).toBeVisible();
  await elsewhere.close();
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(page.getByText("Profile saved")).toBeVisible();
});

test("nobody else can prove who a user is", async ({ page, context, newReseller }) => {
  const user = await newUser((await newReseller()).resellerId);
  await enter(page, desk, accountOf(user.email));
  await expect(page).toHaveURL(at("/wallet"));
  await page.goto(at("/settings"));
  await age(user);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  desk.issuer.signInAs(accountOf("somebody.else@user.example"));
  const [tab] = await Promise.all([
    context.waitForEvent("page"),
    proof.getByRole("link", { name: PROOF_LINK }).click(),
  ]);
  await expect(tab.getByRole("alert").filter({ hasText: "You signed in as another user" })).toBeVisible();
  await tab.close();
  await proof.getByRole("button", { name: "I have signed in" }).click();
  await expect(page.getByText("Not confirmed")).toBeVisible();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeHidden();
});

test("the issuer replaces the password, not the second factor", async ({ page, context, newReseller }) => {
  const user = await newUser((await newReseller()).resellerId);
  await enter(page, desk, accountOf(user.email), "/settings");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  const secret = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await dialog.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();

  await context.clearCookies();
  await enter(page, desk, accountOf(user.email));
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeVisible();
  expect((await context.cookies()).filter(({ name }) => name.includes("session-token"))).toEqual([]);
  await code.fill(totpCode(secret, new Date(Date.now() + 30_000)));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at("/wallet"));
});

test("signing in creates users of the domains in OIDC_ROLES, and refuses others", async ({ page, context }) => {
  await enter(page, desk, accountOf("robin@staff.example"), "/");
  await expect(page).toHaveURL(at("/overview"));
  await context.clearCookies();
  await enter(page, desk, accountOf("robin@elsewhere.example"));
  await expect(page.getByRole("alert").filter({ hasText: "This account has no access" })).toBeVisible();
  await context.clearCookies();
  await enter(page, desk, null);
  await expect(page.getByRole("alert").filter({ hasText: "Single sign-on was not accepted" })).toBeVisible();
});

test("the answer to another browser's sign-in opens no session", async ({ page, context, newReseller }) => {
  const attacker = await newUser((await newReseller()).resellerId);
  desk.issuer.signInAs(accountOf(attacker.email));
  const start = await fetch(at("/api/auth/oidc"), { redirect: "manual" });
  const callback = at("/api/auth/oidc/callback");
  const query = await walkIssuer(start.headers.get("location") ?? "", callback);
  await page.goto(callback + query);
  await expect(page.getByRole("alert").filter({ hasText: "Single sign-on was not completed" })).toBeVisible();
  expect((await context.cookies()).filter(({ name }) => name.includes("session-token"))).toEqual([]);
});

test("signing in leads to no other site, wherever a link wants to go", async ({ page, newReseller }) => {
  const user = await newUser((await newReseller()).resellerId);
  desk.issuer.signInAs(accountOf(user.email));
  for (const next of ["https://evil.example/", "//evil.example", "/\\evil.example", "/.//evil.example"]) {
    await page.goto(at(`/api/auth/oidc?next=${encodeURIComponent(next)}`));
    await expect(page).toHaveURL(at("/overview"));
  }
});
