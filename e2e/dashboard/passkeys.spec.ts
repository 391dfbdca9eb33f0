import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { expect, newUser, signInAs, type TestUser, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";
import { addAuthenticator, addPasskey } from "../support/passkey.ts";
import { delayPagesAfterAnswers } from "../support/slow-line.ts";

/** Browsers allow no passkeys for addresses such as 127.0.0.1. */
let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer("server", { LOG_LEVEL: "silent" }, { host: "localhost" });
});
test.afterAll(() => server.stop());

async function givePassword(page: Page, user: TestUser): Promise<void> {
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const HOME = /\/overview$/;

test("a user adds a passkey, signs in with it alone or after the password, and removes it", async ({
  page,
  context,
  newReseller,
  tolerate,
}) => {
  tolerate(/401/);
  const user = await newUser((await newReseller()).resellerId);
  await signInAs(context, user, server.url);
  await addAuthenticator(page);
  await page.goto(`${server.url}/settings`);
  await addPasskey(page, "Work laptop");
  await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10);
  await page.getByRole("button", { name: "I have saved them" }).click();
  const passkeys = page.getByRole("list", { name: "Passkeys" });
  await expect(passkeys).toContainText("not used yet");

  await context.clearCookies();
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(HOME);

  await context.clearCookies();
  await givePassword(page, user);
  const second = page.getByRole("button", { name: "Use a passkey" });
  await expect(second).toBeVisible();
  await expect(page.getByLabel("Code", { exact: true })).toBeHidden();
  await second.click();
  await expect(page).toHaveURL(HOME);

  await page.goto(`${server.url}/settings`);
  await expect(passkeys).toContainText("last used");
  await page.getByRole("button", { name: "Remove Work laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(passkeys).toBeHidden();
  await context.clearCookies();
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("This passkey was not accepted")).toBeVisible();
});

test("a passkey is on the page by the time its dialog closes, on a slow line, too", async ({
  page,
  context,
  newReseller,
}) => {
  const user = await newUser((await newReseller()).resellerId);
  await signInAs(context, user, server.url);
  const authenticator = await addAuthenticator(page);
  await page.addInitScript(delayPagesAfterAnswers, 1_000);
  await page.goto(`${server.url}/settings`);
  await addPasskey(page, "Work laptop");
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByLabel("Passkeys")).toContainText("Work laptop");
  await authenticator.forgetAll();
  await addPasskey(page, "Phone");
  await expect(page.getByRole("dialog")).toBeHidden();
  expect(
    await page
      .getByLabel("Passkeys")
      .getByText(/^(Work laptop|Phone)$/)
      .allTextContents(),
  ).toHaveLength(2);
});

test("a passkey whose counter went back is refused; giving up is said", async ({
  page,
  context,
  newReseller,
  tolerate,
}) => {
  tolerate(/401/);
  const user = await newUser((await newReseller()).resellerId);
  await signInAs(context, user, server.url);
  const authenticator = await addAuthenticator(page);
  await page.goto(`${server.url}/settings`);
  await addPasskey(page, "Phone");
  await page.getByRole("button", { name: "I have saved them" }).click();
  await context.clearCookies();

  await authenticator.refuse(true);
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("No passkey was used")).toBeVisible();
  await authenticator.refuse(false);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page).toHaveURL(HOME);

  await context.clearCookies();
  await getRuntime().db.query(sql("update passkeys set counter = 1000 where user_id = $1"), [user.userId]);
  await authenticator.setCounter(5);
  await page.goto(`${server.url}/sign-in`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("This passkey was not accepted")).toBeVisible();
});

test("a sensitive change asks for the passkey again, then continues", async ({ page, context, newReseller }) => {
  const user = await newUser((await newReseller()).resellerId);
  await signInAs(context, user, server.url);
  await addAuthenticator(page);
  await page.goto(`${server.url}/settings`);
  await addPasskey(page, "Phone");
  await page.getByRole("button", { name: "I have saved them" }).click();
  const age = "update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1";
  await getRuntime().db.query(sql(age), [user.userId]);
  await page.getByRole("button", { name: "Replace recovery codes" }).click();
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await expect(proof.getByRole("button", { name: "Use a passkey" })).toBeVisible();
  await inspect(page, "passkeys-confirm");
  await proof.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByText("Save them now: they are not shown again")).toBeVisible();
});
