import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { formatTime } from "#components/ui/format-time.ts";
import { getRuntime } from "#lib/runtime.ts";
import { listPages } from "../support/build.ts";
import { expect, focusFirstRow, loseAnswers, newUser, signInAs, test, untilHydrated } from "../support/dashboard.ts";

const newEmail = () => `${randomUUID()}@person.example`;

async function shownPassword(page: Page): Promise<string> {
  const text = await page.getByText(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/).textContent();
  return text ?? "";
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("an admin creates a reseller, whose first user is invited, or comes in once with what they were given and then chooses a password", async ({
  page,
  login,
  context,
}) => {
  test.slow();
  await login("admin");
  await page.goto("/resellers");
  await page.getByRole("link", { name: "Create reseller" }).click();
  await page.getByRole("button", { name: "Create reseller" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "problem" })).toBeVisible();
  const email = newEmail();
  await page.getByLabel("Name").fill("Aurora Hosting");
  await expect(page.getByLabel("Currency")).toHaveAccessibleDescription(/is required.*It cannot be changed later/s);
  await page.getByLabel("Currency").selectOption("EUR");
  await page.getByLabel("First user").fill("Ada Aurora");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create reseller" }).click();
  await expect(page.getByRole("heading", { name: "The reseller is created" })).toBeFocused();
  await expect(page.getByText(/\/set-password#/)).toBeVisible();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Aurora Hosting" })).toBeVisible();
  await page.goto(`/users?q=${email}`);
  await page.getByRole("button", { name: "Actions for Ada Aurora" }).click();
  await page.getByRole("menuitem", { name: "Reset password" }).click();
  await page.getByRole("button", { name: "Reset password" }).click();
  await expect(page.getByText("A password for Ada Aurora")).toBeVisible();
  const oneTimePassword = await shownPassword(page);

  await context.clearCookies();
  await signIn(page, email, oneTimePassword);
  await expect(page).toHaveURL(/\/new-password$/);
  await untilHydrated(page);
  await page.getByLabel("New password", { exact: true }).fill("too short");
  await page.getByRole("button", { name: "Set password and continue" }).click();
  await expect(page.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(/at least 12 characters/);
  for (const guessed of ["password1234", "123456789012"]) {
    await page.getByLabel("New password", { exact: true }).fill(guessed);
    await page.getByRole("button", { name: "Set password and continue" }).click();
    await expect(page.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(/too easy to guess/);
  }
  await page.getByLabel("New password", { exact: true }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Set password and continue" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});

test("an admin who acts as a reseller sees that reseller's pages alone, says so on each, and comes back to their own", async ({
  page,
  login,
  reseller,
  newReseller,
  tolerate,
}) => {
  test.slow();
  const other = await newReseller();
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Act as" }).click();
  await page.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page).toHaveURL(/\/overview$/);
  const banner = page.getByRole("region", { name: "Acting as a reseller" });
  await expect(banner).toContainText(`You act as ${reseller.name}`);
  tolerate(/status of 403/);
  await page.goto(`/resellers/${other.resellerId}`);
  await expect(page.getByText("This page belongs to administrators")).toBeVisible();
  await page.goto("/settings/team");
  await expect(page.getByText("These settings are your own")).toBeVisible();
  await page.goto("/wallet");
  await expect(banner).toBeVisible();
  await expect(page.getByRole("banner")).toContainText("$1,000.00");
  tolerate(/ERR_FAILED/);
  await page.route("**/wallet", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await banner.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByText("You may still act as this reseller")).toBeVisible();
  await page.unroute("**/wallet");
  await banner.getByRole("button", { name: "Stop" }).click();
  await expect(page).toHaveURL(new RegExp(`/resellers/${reseller.resellerId}$`));
  await page.goto(`/audit?reseller=${reseller.resellerId}`);
  const log = page.getByRole("table", { name: "Audit log" });
  await expect(log).toContainText("Started to act as a reseller");
  await expect(log).toContainText("Stopped acting as a reseller");
});

test("a suspended reseller's people and keys are refused until the suspension is lifted", async ({
  page,
  login,
  reseller,
  browser,
  apiUrl,
}) => {
  const theirs = await browser.newContext({ baseURL: apiUrl });
  await signInAs(theirs, await newUser(reseller.resellerId), apiUrl);
  const statusOf = async () => (await reseller.dispatch.get("balance")).status;
  expect(await statusOf()).toBe(200);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/settings`);
  await page.getByRole("button", { name: "Suspend reseller" }).click();
  await expect(page.getByLabel("Reason")).toBeFocused();
  await page.getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByLabel("Reason")).toHaveAccessibleDescription(/must say why/);
  await page.getByLabel("Reason").fill("Invoice 17 is unpaid");
  await page.getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(page.getByText(/Suspended since .*: Invoice 17 is unpaid/)).toBeVisible();
  await expect.poll(statusOf).toBe(401);
  const answer = await theirs.request.get("/wallet", { maxRedirects: 0 });
  expect(answer.headers().location).toBe("/sign-in?next=%2Fwallet");
  await page.getByRole("button", { name: "Lift the suspension" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Lift the suspension" }).click();
  await expect(page.getByRole("button", { name: "Suspend reseller" })).toBeVisible();
  await expect.poll(statusOf).toBe(200);
  const revived = await theirs.request.get("/wallet", { maxRedirects: 0 });
  expect(revived.headers().location, "a session that has ended stays so").toBe("/sign-in?next=%2Fwallet");
  await theirs.close();
});

test("what an admin changes about a reseller is in the audit log, with what it was before", async ({
  page,
  login,
  reseller,
}) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/settings`);
  const renewals = page.getByRole("region", { name: "Renewals" });
  await renewals.getByLabel("Days of notice").fill("30, soon");
  await renewals.getByRole("button", { name: "Save" }).click();
  await expect(renewals.getByLabel("Days of notice")).toHaveAccessibleDescription(/numbers of days from 1 to 90/);
  await renewals.getByLabel("Days of notice").fill("30, 7, 1");
  await renewals.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Renewal settings saved")).toBeVisible();
  const profile = page.getByRole("region", { name: "Reseller", exact: true });
  await profile.getByLabel("Notes").fill("Pays by the quarter");
  await profile.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "View changes" }).click();
  const log = page.getByRole("table", { name: "Audit log" });
  const entry = log.getByRole("row").filter({ hasText: "Renewal settings changed" });
  await expect(entry).toContainText("Robin Example");
  await focusFirstRow(page);
  await page.keyboard.press("Enter");
  await expect(log.getByText("Pays by the quarter")).toBeVisible();
  await expect(entry).toContainText("127.0.0.1");
  await entry.locator("summary").click();
  await expect(log).toContainText("14, 3");
  await expect(log).toContainText("30, 7, 1");
  await page.getByLabel("Action").selectOption("Reseller changed");
  await expect(page).toHaveURL(/action=reseller\.update/);
  await expect(entry).toHaveCount(0);
  await expect(log).toContainText("Reseller changed");
  await page.getByLabel("Reseller", { exact: true }).fill("nobody is called this");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing found")).toBeVisible();
});

test("an admin lets another in, gives a new password, and shuts them out; not themselves", async ({ page, login }) => {
  test.slow();
  const self = await login("admin");
  const email = newEmail();
  await page.goto("/users");
  const own = page.getByRole("row").filter({ hasText: self.email });
  await expect(own).toContainText("(you)");
  await expect(own.getByRole("button")).toHaveCount(0);
  await page.getByRole("button", { name: "Invite administrator" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Grace Root");
  await dialog.getByLabel("Email").fill(self.email);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog.getByLabel("Email")).toHaveAccessibleDescription(/has a user already/);
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog.getByText("User invited")).toBeVisible();
  await expect(dialog.getByText(/\/set-password#/)).toBeVisible();
  await page.keyboard.press("Escape");
  await page.mouse.click(2, 2);
  await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByLabel("Search users").fill(email);
  await expect(page).toHaveURL(/q=/);
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Invited");
  await row.getByRole("button", { name: "Actions for Grace Root" }).click();
  await page.getByRole("menuitem", { name: "Reset password" }).click();
  await page.getByRole("button", { name: "Reset password" }).click();
  await expect(dialog.getByText("A password for Grace Root")).toBeVisible();
  await page.keyboard.press("Escape");
  expect(await shownPassword(page)).not.toBe("");
  await dialog.getByRole("button", { name: "Done" }).click();
  await row.getByRole("button", { name: "Actions for Grace Root" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Disable", exact: true }).click();
  await expect(row).toContainText("Disabled");
});

test("users are gone through with j and k, oneself too, and Enter opens what can be done to one", async ({
  page,
  login,
  reseller,
}) => {
  for (const name of ["Ada Northwind", "Ben Northwind"]) await newUser(reseller.resellerId, name);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/team`);
  const actions = page.getByRole("table", { name: "Users" }).getByRole("button", { name: /^Actions for / });
  await expect(actions).toHaveCount(2);
  await focusFirstRow(page, actions.first());
  await page.keyboard.press("j");
  await expect(actions.nth(1)).toBeFocused();
  await page.keyboard.press("k");
  await expect(actions.first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Reset password" })).toBeFocused();
});

test("a person changes their password, which ends their other sessions, and ends one by hand", async ({
  page,
  login,
  reseller,
  context,
  browser,
  apiUrl,
  tolerate,
}) => {
  tolerate(/net::ERR_FAILED/);
  test.slow();
  const user = await login(reseller);
  const [first, second] = [
    await browser.newContext({ baseURL: apiUrl }),
    await browser.newContext({ baseURL: apiUrl }),
  ];
  for (const other of [first, second]) await signInAs(other, user, apiUrl);
  await page.goto("/settings");
  const sessions = page.getByRole("region", { name: "Where you are signed in" });
  await expect(sessions.getByRole("listitem")).toHaveCount(3);
  await sessions
    .getByRole("button", { name: /^Sign out (?!everywhere)/ })
    .first()
    .click();
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  const form = page.getByRole("region", { name: "Password" });
  await form.getByLabel("Current password", { exact: true }).fill("not it at all");
  await form.getByLabel("New password", { exact: true }).fill("a much better sentence");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(form.getByLabel("Current password", { exact: true })).toHaveAccessibleDescription(/is not right/);
  await form.getByLabel("Current password", { exact: true }).fill(user.password);
  await loseAnswers(page, () => form.getByRole("button", { name: "Change password" }).click());
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("You are signed out everywhere else.")).toBeVisible();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  for (const other of [first, second]) {
    expect((await other.request.get("/wallet", { maxRedirects: 0 })).status()).toBe(307);
    await other.close();
  }
  await page.getByLabel("Name").fill("Robin Renamed");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByRole("button", { name: /account of Robin Renamed/ })).toBeVisible();
  await context.clearCookies();
  await signIn(page, user.email, "a much better sentence");
  await expect(page).toHaveURL(/\/overview$/);
});

async function chooseEuropeanNumbers(page: Page): Promise<void> {
  await page.goto("/settings");
  await page.getByLabel("Numbers and dates").selectOption("1.234.567,89 · 31 Jan 2026");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByRole("banner")).toContainText("US$ 12.345,50");
}

test("numbers, money and dates are in the format that a user has chosen", async ({ page, login, newReseller }) => {
  await login(await newReseller({ funds: "12345.5" }));
  await chooseEuropeanNumbers(page);
  // The shell is made anew for the format, and keeps what it says.
  await expect(page.getByText("Profile saved")).toBeVisible();
  await page.goto("/wallet");
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("US$ 12.345,50");
  await expect(page.getByRole("table", { name: "Ledger" }).locator("time").first()).toHaveText(
    /^\d{1,2} [A-Z][a-z]{2} \d{4}/,
  );
});

/** Each test of a part has time for its pages on a slow machine. */
const PARTS = 6;
for (let part = 0; part < PARTS; part += 1) {
  test(`every page is in the chosen format from the first picture on: part ${part + 1} of ${PARTS}`, async ({
    page,
    login,
    newReseller,
    tolerate,
  }) => {
    test.slow();
    // Of pages about something that does not exist, or that only the other kind of user has.
    tolerate(/status of 40[34]/);
    await login(await newReseller({ funds: "12345.5" }));
    await chooseEuropeanNumbers(page);
    for (const [index, address] of listPages().entries()) if (index % PARTS === part) await page.goto(address);
  });
}

test("times are in the time zone that a user has chosen, and so are those of a filter", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/settings");
  await page.getByLabel("Time zone").selectOption("Asia/Kathmandu");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page.getByText("Profile saved")).toBeVisible();
  await page.goto("/audit");
  const time = page.getByRole("table", { name: "Audit log" }).locator("time").first();
  const at = new Date((await time.getAttribute("datetime")) ?? "");
  await expect(time).toHaveText(formatTime(at, "exact", "Asia/Kathmandu"));
  await page.getByLabel("Time", { exact: true }).selectOption("Custom range");
  await page.getByLabel("From", { exact: true }).fill("2026-01-01T05:45");
  await page.getByLabel("From", { exact: true }).press("Enter");
  await expect(page).toHaveURL(/from=2026-01-01T00:00:00\.000Z/);
  await expect(page.getByLabel("From", { exact: true })).toHaveValue("2026-01-01T05:45");
});

test("an owner lets a colleague in, changes their role, shuts them out, and leaves passwords to an admin", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/settings");
  await page.getByRole("link", { name: "Team" }).click();
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Col League");
  await dialog.getByLabel("Email").fill(newEmail());
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  await expect(dialog.getByText("User invited")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const table = page.getByRole("table", { name: "Users" });
  await expect(table.getByRole("row")).toHaveCount(3);
  const row = table.getByRole("row").filter({ hasText: "Col League" });
  await expect(row).toContainText("Invited");
  await expect(row).toContainText("Viewer");
  await expect(table.getByRole("button")).toHaveCount(1);
  await row.getByRole("button", { name: "Actions for Col League" }).click();
  await expect(page.getByRole("menuitem", { name: "Reset password" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Change role" }).click();
  await dialog.getByRole("radio", { name: /^Finance/ }).check();
  await dialog.getByRole("button", { name: "Change role" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("Finance");
  await row.getByRole("button", { name: "Actions for Col League" }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await dialog.getByRole("button", { name: "Disable" }).click();
  await expect(row).toContainText("Disabled");
  await expect(
    page.getByText("To reset a password or replace a lost second factor, ask a License Desk administrator."),
  ).toBeVisible();
});

test("an entry's address filters the audit log, and the filter's chip is removed again", async ({
  page,
  context,
  reseller,
  apiUrl,
}) => {
  await signInAs(context, await newUser(reseller.resellerId), apiUrl);
  await page.goto("/settings");
  await page.getByLabel("Name", { exact: true }).fill("Ada of Northwind");
  await page.getByRole("button", { name: "Save" }).first().click();
  await expect(page.getByText("Profile saved")).toBeVisible();
  await page.goto("/audit");
  const address = page
    .getByRole("table", { name: "Audit log" })
    .getByRole("link", { name: /^from / })
    .first();
  await address.click();
  await expect(page).toHaveURL(/address=/);
  const chip = page.getByRole("navigation", { name: "Filter by address" }).getByRole("link");
  await expect(chip).toHaveText(/^From /);
  await expect(address).toBeVisible();
  await chip.click();
  await expect(page).toHaveURL(/\/audit$/);
  await expect(chip).toHaveCount(0);
  await page.goto("/audit?address=203.0.113.250");
  await expect(page.getByText("No entry matches")).toBeVisible();
});

test("a reseller's people read their own audit log; an admin downloads all of it, and can verify it", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  expect((await page.request.get("/licenses/export")).headers()["content-disposition"]).toContain("licenses-");
  await page.goto("/audit");
  const log = page.getByRole("table", { name: "Audit log" });
  await expect(log.getByRole("row").filter({ hasText: "Licenses exported" })).toHaveCount(1);
  await expect(log.getByRole("columnheader")).toHaveText(["Time", "Actor", "Action", "Target"]);
  await login("admin");
  await page.goto("/audit");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download all" }).click(),
  ]);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  let previous = Buffer.alloc(0);
  for (const line of lines) {
    const [, hash, entry = ""] = /"hash": "([0-9a-f]{64})", "entry": (.*)\}$/.exec(line) ?? [];
    previous = Buffer.from(createHash("sha256").update(previous).update(entry).digest());
    expect(previous.toString("hex"), line).toBe(hash);
  }
  const since = lines.findIndex(
    (line) => line.includes('"license.export"') && line.includes(`"reseller_id": ${reseller.resellerId},`),
  );
  expect(lines.slice(since).filter((line) => line.includes('"audit.export"'))).not.toEqual([]);
});

test("an owner invites a colleague again: the new link works, the old one does not", async ({
  page,
  login,
  reseller,
  context,
}) => {
  await login(reseller);
  await page.goto("/settings/team");
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Lou Lost");
  await dialog.getByLabel("Email").fill(newEmail());
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const shown = dialog.getByText(/\/set-password#/);
  const first = (await shown.textContent()) ?? "";
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: "Lou Lost" });
  await getRuntime().db.prisma.user.updateMany({
    where: { name: "Lou Lost", resellerId: reseller.resellerId },
    data: { oneTimePasswordUntil: new Date(Date.now() - 1_000) },
  });
  await page.reload();
  await expect(row).toContainText("Invitation expired");
  await row.getByRole("button", { name: "Actions for Lou Lost" }).click();
  await page.getByRole("menuitem", { name: "Invite again" }).click();
  await expect(dialog).toContainText("Earlier links no longer work.");
  await dialog.getByRole("button", { name: "Invite again" }).click();
  await expect(dialog.getByText("User invited")).toBeVisible();
  const second = (await shown.textContent()) ?? "";
  expect(second).not.toBe(first);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(row.getByText("Invited", { exact: true })).toBeVisible();

  await context.clearCookies();
  await page.goto(first);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await page.goto("about:blank");
  await page.goto(second);
  await page.getByLabel("New password", { exact: true }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});

test("an admin removes a user's second factor after a question and a proof; the user is signed out and told", async ({
  page,
  login,
  reseller,
  browser,
  apiUrl,
}) => {
  const { prisma } = getRuntime().db;
  const user = await newUser(reseller.resellerId, "Pia Phoneless");
  await prisma.totpFactor.create({
    data: { userId: user.userId, secret: new Uint8Array(1), createdAt: new Date(), confirmedAt: new Date() },
  });
  const theirs = await browser.newContext({ baseURL: apiUrl });
  await signInAs(theirs, user, apiUrl);
  const admin = await login("admin");
  await page.goto(`/users?q=${user.email}`);
  const row = page.getByRole("row").filter({ hasText: user.email });
  await expect(row).toContainText("App");
  await prisma.session.updateMany({ where: { userId: admin.userId }, data: { provenAt: new Date(0) } });
  await row.getByRole("button", { name: "Actions for Pia Phoneless" }).click();
  await page.getByRole("menuitem", { name: "Remove second factor" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove the second factor of Pia Phoneless?" });
  await expect(dialog).toContainText("Their password alone then signs them in");
  await dialog.getByRole("button", { name: "Remove" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Password", { exact: true }).fill(admin.password);
  await proof.getByRole("button", { name: "Confirm" }).click();
  await expect(row).toContainText("None");
  await row.getByRole("button", { name: "Actions for Pia Phoneless" }).click();
  await expect(page.getByRole("menuitem", { name: "Remove second factor" })).toHaveCount(0);
  expect((await theirs.request.get("/wallet", { maxRedirects: 0 })).headers().location).toContain("/sign-in");
  expect(await prisma.mail.findMany({ where: { userId: user.userId } })).toMatchObject([{ kind: "access_changed" }]);
  await theirs.close();
});
