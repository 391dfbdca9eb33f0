import { mailContent } from "#lib/domain/mail/contents.ts";
import { type MailKind, mailKinds } from "#lib/domain/mail/kinds.ts";
import { renderMail } from "#lib/domain/mail/render.ts";
import { listMails, showMailLink } from "#lib/services/mail/outbox.ts";
import { unsubscribeUrl } from "#lib/services/mail/unsubscribe.ts";
import { requestEmailChange } from "#lib/services/user/change-email.ts";
import { createUser } from "#lib/services/user/create.ts";
import { mailSamples } from "#tests/support/mail-samples.ts";
import { expect, newUser, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { systemContext } from "../support/world.ts";

test("the outbox and the pages of links are accessible and fit", async ({ page, login, reseller, context }) => {
  test.slow();
  const { resellerId } = reseller;
  const person = { email: "ada@northwind.example", name: "Ada Northwind", resellerId, role: "owner" };
  const { invitationUrl } = await createUser(systemContext(), person);
  await page.goto("/forgot-password");
  await inspect(page, "mail-forgot-password");
  await page.getByLabel("Email").fill("nobody@northwind.example");
  await page.getByRole("button", { name: "Send a link" }).click();
  await expect(page.getByRole("status").filter({ hasText: "can give you a link" })).toBeVisible();
  await inspect(page, "mail-forgot-password-sent");
  await page.goto(`/set-password${new URL(invitationUrl ?? "").hash}`);
  await expect(page.getByRole("heading", { name: "Welcome to License Desk" })).toBeVisible();
  await inspect(page, "mail-set-password");
  await page.evaluate(() => window.location.assign("#void"));
  await expect(page.getByText("This link no longer works")).toBeVisible();
  await inspect(page, "mail-set-password-over");
  await context.clearCookies();
  await login("admin");
  await page.goto("/outbox?q=ada@northwind.example");
  await inspect(page, "mail-outbox");
  await page.getByRole("link", { name: "Invitation" }).first().click();
  await expect(page.getByRole("button", { name: "Show link" })).toBeVisible();
  await inspect(page, "mail-message");
  await page.getByRole("button", { name: "Show link" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Show link" }).click();
  await expect(page.getByText(/\/set-password#/)).toBeVisible();
  await inspect(page, "mail-link");
});

test("choosing and stopping messages, and confirming an address, are accessible and fit", async ({
  page,
  login,
  reseller,
}) => {
  test.slow();
  const user = await newUser(reseller.resellerId);
  await page.goto(`/unsubscribe${new URL(unsubscribeUrl(systemContext(), user.userId, "low_balance") ?? "").search}`);
  await expect(page.getByRole("button", { name: "Stop these emails" })).toBeVisible();
  await inspect(page, "mail-stop");
  const { userId, password } = user;
  const actor = { kind: "reseller_user", role: "owner", userId, resellerId: reseller.resellerId } as const;
  const change = { email: `new-${user.email}`, currentPassword: password };
  await requestEmailChange({ ...systemContext(), actor }, change);
  const { rows: mails } = await listMails(systemContext(), { recipient: change.email, limit: 1 });
  const { url } = await showMailLink(systemContext(), { mailId: mails[0]?.id ?? "" });
  await page.goto(`/confirm-email${new URL(url).hash}`);
  await expect(page.getByRole("button", { name: "Confirm" })).toBeVisible();
  await inspect(page, "mail-confirm-email");
  await page.goto("/stop-messages?token=void");
  await inspect(page, "mail-stop-void");
  await login(reseller);
  await page.goto("/settings");
  await expect(page.getByRole("region", { name: "Email notifications" })).toBeVisible();
  await inspect(page, "mail-settings");
});

test("every message is legible at any width", async ({ page }) => {
  test.slow();
  const publicUrl = "https://desk.example.com";
  for (const [kind, data] of Object.entries(mailSamples) as [MailKind, unknown][]) {
    const content = mailContent(kind, data, { publicUrl, token: "x".repeat(43) });
    const settingsUrl = mailKinds[kind].readers === null ? null : `${publicUrl}/settings`;
    await page.setContent(renderMail(content, { publicUrl, settingsUrl }).html);
    await inspect(page, `mail-kind-${kind}`);
  }
});
