import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { startOwnServer } from "../support/own-server.ts";
import { addAuthenticator, addPasskey } from "../support/passkey.ts";
import type { Reseller } from "../support/world.ts";

/** A team that requires a second factor: one has an app, one has none, one let the invitation expire. */
async function furnishTeam({ resellerId }: Reseller) {
  const { prisma } = getRuntime().db;
  await prisma.reseller.update({ where: { id: resellerId }, data: { requiresSecondFactor: true } });
  const owner = await newUser(resellerId, "Olga Owner");
  const [app] = [await newUser(resellerId, "Ada Appleby", "manager"), await newUser(resellerId, "Ben Bare", "viewer")];
  const invited = await newUser(resellerId, "Ivy Invited", "finance");
  const data = { oneTimePasswordUntil: new Date(Date.now() - 1_000) };
  await prisma.user.update({ where: { id: invited.userId }, data });
  for (const { userId } of [owner, app]) {
    const now = new Date();
    await prisma.totpFactor.create({ data: { userId, secret: new Uint8Array(1), createdAt: now, confirmedAt: now } });
  }
  return { owner };
}

test("a team's roles, second factors and invitations are accessible and fit", async ({
  page,
  context,
  reseller,
  apiUrl,
}) => {
  test.slow();
  const { owner } = await furnishTeam(reseller);
  await signInAs(context, owner, apiUrl);
  await page.goto("/settings/team");
  await expect(page.getByText("Missing").first()).toBeVisible();
  await inspect(page, "access-team");
  const menu = page.getByRole("button", { name: "Actions for Ivy Invited" });
  await menu.click();
  await inspect(page, "access-menu");
  await page.getByRole("menuitem", { name: "Invite again" }).click();
  await inspect(page, "access-invite-again");
  await page.getByRole("dialog").getByRole("button", { name: "Invite again" }).click();
  await expect(page.getByText("User invited")).toBeVisible();
  await inspect(page, "access-invited-again");
  await page.getByRole("button", { name: "Done" }).click();
  await menu.click();
  await page.getByRole("menuitem", { name: "Change role" }).click();
  await inspect(page, "access-role");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Invite user" }).click();
  await inspect(page, "access-add-person");
});

test("removing a second factor, and an admin's list of users, are accessible and fit", async ({
  page,
  login,
  reseller,
}) => {
  await furnishTeam(reseller);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/team`);
  await page.getByRole("button", { name: "Actions for Ada Appleby" }).click();
  await page.getByRole("menuitem", { name: "Remove second factor" }).click();
  await inspect(page, "access-remove-factor");
  await page.goto("/users?q=Appleby");
  await inspect(page, "access-users");
});

test("what a role does not allow is refused on pages that are accessible and fit", async ({
  page,
  context,
  reseller,
  apiUrl,
  tolerate,
}) => {
  tolerate(/status of 403/);
  for (const [resellerId, path, name] of [
    [reseller.resellerId, "/api-keys/new", "access-forbidden"],
    [null, "/resellers/new", "access-forbidden-admin"],
  ] as const) {
    await signInAs(context, await newUser(resellerId, "Sue Support", "support"), apiUrl);
    expect((await page.goto(path))?.status()).toBe(403);
    await expect(page.getByText("Your role does not allow this")).toBeVisible();
    await inspect(page, name);
  }
});

test("setting up a required second factor is accessible and fits", async ({ page, context, reseller, apiUrl }) => {
  await getRuntime().db.prisma.reseller.update({
    where: { id: reseller.resellerId },
    data: { requiresSecondFactor: true },
  });
  await signInAs(context, await newUser(reseller.resellerId), apiUrl);
  await page.goto("/wallet");
  await expect(page).toHaveURL(/\/second-factor$/);
  await inspect(page, "access-required-factor");
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await expect(page.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  await inspect(page, "access-required-factor-app");
});

test("passkeys are added, used and removed on pages that are accessible and fit", async ({
  page,
  context,
  tolerate,
}) => {
  tolerate(/401/);
  // Browsers allow no passkeys for addresses such as 127.0.0.1.
  const server = await startOwnServer("server", { LOG_LEVEL: "silent" }, { host: "localhost" });
  try {
    const user = await newUser(null, "Ada Admin");
    await signInAs(context, user, server.url);
    await addAuthenticator(page);
    await page.goto(`${server.url}/settings`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await inspect(page, "access-passkey-add");
    await page.keyboard.press("Escape");
    await addPasskey(page, "Work laptop with a name that is long enough to need a second line on a phone");
    await page.getByRole("button", { name: "I have saved them" }).click();
    await expect(page.getByRole("list", { name: "Passkeys" })).toContainText("not used yet");
    await inspect(page, "access-passkeys");
    await context.clearCookies();
    await page.goto(`${server.url}/sign-in`);
    await inspect(page, "access-passkey-sign-in");
    await page.getByLabel("Email").fill(user.email);
    await page.getByLabel("Password", { exact: true }).fill(user.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("button", { name: "Use a passkey" })).toBeVisible();
    await inspect(page, "access-passkey-second-step");
  } finally {
    await server.stop();
  }
});
