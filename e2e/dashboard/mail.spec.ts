import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { listMailPreferences } from "#lib/services/mail/preferences.ts";
import { unsubscribeUrl } from "#lib/services/mail/unsubscribe.ts";
import { expect, newUser, signInAs, test, untilHydrated } from "../support/dashboard.ts";
import { systemContext } from "../support/world.ts";

const GOOD = "correct horse battery staple";
const newEmail = () => `${randomUUID()}@person.example`;

/** Kinds of the messages to the address, oldest first. */
async function kindsTo(email: string): Promise<string[]> {
  const mails = await getRuntime().db.prisma.mail.findMany({ where: { recipient: email }, orderBy: { id: "asc" } });
  return mails.map(({ kind }) => kind);
}

/** The link of the newest message to the address, as an admin finds it. */
async function linkFromOutbox(page: Page, email: string): Promise<string> {
  await page.goto(`/outbox?q=${email}`);
  await expect(page.getByText("No mail server is configured", { exact: true })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: email }).first();
  await expect(row).toContainText("No mail server is configured.");
  await row.getByRole("link").click();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("The link is hidden here.")).toBeVisible();
  await page.getByRole("button", { name: "Show link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Show link" }).click();
  const link = await dialog.getByText(/\/(?:set-password|confirm-email)#/).textContent();
  await dialog.getByRole("button", { name: "Done" }).click();
  return link ?? "";
}

test("an invitation leads from the outbox to a signed-in person within seconds, once", async ({
  page,
  login,
  reseller,
  context,
}) => {
  test.slow();
  const email = newEmail();
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/team`);
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ivy Invited");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Invite" }).click();
  await expect(dialog.getByText("User invited")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const link = await linkFromOutbox(page, email);

  await context.clearCookies();
  const startedAtMs = performance.now();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Welcome to License Desk" })).toBeVisible();
  await expect(page).toHaveURL(/\/set-password$/);
  await page.getByLabel("New password", { exact: true }).fill("password1234");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(/too easy to guess/);
  await page.getByLabel("New password", { exact: true }).fill(GOOD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);
  expect(await kindsTo(email)).toEqual(["invitation"]);

  await context.clearCookies();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("the first sign-in on a device is reported to its user, later ones are not", async ({
  page,
  reseller,
  context,
}) => {
  const user = await newUser(reseller.resellerId, "Nia New");
  for (let time = 0; time < 2; time++) {
    await page.goto("/sign-in");
    await page.getByLabel("Email").fill(user.email);
    await page.getByLabel("Password", { exact: true }).fill(user.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page).toHaveURL(/\/overview$/);
    expect(await kindsTo(user.email)).toEqual(["new_device"]);
    await context.clearCookies({ name: /session-token/ });
  }
});

test("a forgotten password is replaced by a link; an unknown address gets the same answer", async ({
  page,
  login,
  reseller,
  context,
}) => {
  test.slow();
  const user = await newUser(reseller.resellerId, "Fay Forgetful");
  await page.goto("/forgot-password");
  await page.getByRole("button", { name: "Send a link" }).click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription("Email must be an email address.");
  for (const email of [newEmail(), user.email]) {
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    // Both pages have a field for it.
    await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send a link" }).click();
    await expect(page.getByRole("heading", { name: "Ask an administrator" })).toBeVisible();
    await expect(page.getByText("Messages with links are not set up here, so none is sent")).toBeVisible();
    await expect(page.getByRole("status").filter({ hasText: `If ${email} can sign in here` })).toBeVisible();
  }
  await login("admin");
  const link = await linkFromOutbox(page, user.email);
  await context.clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await page.getByLabel("New password", { exact: true }).fill(GOOD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});

test("no further message is promised to an address that was sent three", async ({ page, reseller }) => {
  const { email } = await newUser(reseller.resellerId);
  await page.goto("/forgot-password");
  // As where a mail server is configured.
  await page.route("**/forgot-password", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('"sendsLinks":false', '"sendsLinks":true');
    await route.fulfill({ response, body });
  });
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send a link" }).click();
  const sent = page.getByRole("status").filter({ hasText: `${email} can sign in here` });
  const limit = "message with a link is on its way, unless three were sent within the last half hour";
  await expect(sent).toContainText(`a ${limit}`);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(sent).toContainText(`another ${limit}`);
});

test("messages are switched off in the settings, by one click in a mail program, and by a person who is asked", async ({
  page,
  login,
  reseller,
}) => {
  const user = await newUser(reseller.resellerId);
  const ctx = {
    ...systemContext(),
    actor: { kind: "reseller_user", role: "owner", userId: user.userId, resellerId: reseller.resellerId } as const,
  };
  const off = async () => (await listMailPreferences(ctx)).filter(({ on }) => !on).map(({ kind }) => kind);
  const linkTo = (kind: "low_balance" | "expiring_soon") => {
    const { pathname, search } = new URL(unsubscribeUrl(ctx, user.userId, kind) ?? "");
    return `${pathname}${search}`;
  };

  const opened = await page.request.get(linkTo("low_balance"));
  expect(opened.status()).toBe(200);
  expect(await off()).toEqual([]);
  const clicked = await page.request.post(linkTo("low_balance"), { form: { "List-Unsubscribe": "One-Click" } });
  expect(clicked.status()).toBe(200);
  expect(await off()).toEqual(["low_balance"]);
  const wrong = await page.request.post(linkTo("expiring_soon").slice(0, -8), {
    form: { "List-Unsubscribe": "One-Click" },
  });
  expect(wrong.status()).toBe(404);
  await page.goto(linkTo("expiring_soon"));
  await untilHydrated(page);
  await page.getByRole("button", { name: "Stop these emails" }).click();
  await expect(page.getByRole("status").filter({ hasText: "You get no more" })).toBeVisible();
  expect(await off()).toEqual(["low_balance", "expiring_soon"]);

  await login(reseller);
  await page.goto("/settings");
  const messages = page.getByRole("region", { name: "Email notifications" });
  await messages.getByLabel("Failed renewals").uncheck();
  await messages.getByRole("button", { name: "Save notifications" }).click();
  await expect(page.getByText("Notifications saved")).toBeVisible();
  await page.reload();
  await expect(messages.getByLabel("Failed renewals")).not.toBeChecked();
  await expect(messages.getByLabel("Low balance")).toBeChecked();
});

test("an email address changes once the links to both addresses are confirmed", async ({
  page,
  login,
  reseller,
  context,
  apiUrl,
}) => {
  test.slow();
  const user = await newUser(reseller.resellerId, "Cara Changing");
  const newAddress = newEmail();
  await signInAs(context, user, apiUrl);
  await page.goto("/settings");
  const form = page.getByRole("region", { name: "Email", exact: true });
  await form.getByLabel("New email").fill(newAddress);
  await form.getByLabel("Your password", { exact: true }).fill("not it at all");
  await form.getByRole("button", { name: "Change email" }).click();
  await expect(form.getByLabel("Your password", { exact: true })).toHaveAccessibleDescription(/is not right/);
  await form.getByLabel("Your password", { exact: true }).fill(user.password);
  await form.getByRole("button", { name: "Change email" }).click();
  await expect(page.getByText("Two messages are on their way")).toBeVisible();
  await context.clearCookies();
  await login("admin");
  const links = [await linkFromOutbox(page, user.email), await linkFromOutbox(page, newAddress)];
  await context.clearCookies();
  for (const [index, link] of links.entries()) {
    await page.goto("about:blank");
    await page.goto(link);
    await expect(page.getByRole("main")).toContainText(`From${user.email}To${newAddress}`);
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("status")).toContainText(index === 0 ? newAddress : "Your email address is");
  }
  await page.getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
  await page.getByLabel("Email").fill(newAddress);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});

test("the frame of a message is as high as the message, at any width", async ({ page, login, reseller }) => {
  const { email } = await newUser(reseller.resellerId);
  await page.goto("/forgot-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send a link" }).click();
  await expect.poll(() => kindsTo(email)).toHaveLength(1);
  await login("admin");
  await page.goto(`/outbox?q=${email}`);
  await page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
  const heightOf = async (part: Locator) => Math.round((await part.boundingBox())?.height ?? 0);
  const message = page.frameLocator("iframe").getByRole("main");
  const BORDERS = 2;
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await heightOf(page.locator("iframe"))) - (await heightOf(message))).toBe(BORDERS);
  }
});

test("the outbox lists the messages of a state, searched or not", async ({ page, login }) => {
  await login("admin");
  await page.goto("/outbox?q=nobody@person.example");
  const failed = page.getByRole("navigation", { name: "Filter by state" }).getByRole("link", { name: "Not delivered" });
  await failed.click();
  await expect(page).toHaveURL("/outbox?q=nobody@person.example&state=failed");
  await expect(failed).toHaveAttribute("aria-current", "true");
  await failed.click();
  await expect(page).toHaveURL("/outbox?q=nobody@person.example");
});
