import { getRuntime } from "#lib/runtime.ts";
import { setRenewalSettings } from "#lib/services/reseller/set-renewal-settings.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, systemContext } from "../support/world.ts";

async function furnish(reseller: Reseller): Promise<void> {
  const { prisma } = getRuntime().db;
  const { resellerId } = reseller;
  const notes = "Pays by the quarter. Ask Ada before raising a limit.";
  await prisma.reseller.update({ where: { id: resellerId }, data: { name: "Northwind Hosting", notes } });
  await newUser(resellerId, "Ada Northwind");
  await setRenewalSettings(systemContext(), { resellerId, expiringSoonDays: [30, 7, 1] });
}

test("the admin's pages of people and of what they did are accessible and fit", async ({ page, login, reseller }) => {
  test.slow();
  await furnish(reseller);
  await login("admin");
  await page.goto(`/audit?reseller=${reseller.resellerId}`);
  await page.getByRole("row").filter({ hasText: "Renewal settings changed" }).locator("summary").click();
  await inspect(page, "people-audit");
  await page.goto("/audit?subject=nothing+is+called+this");
  await inspect(page, "people-audit-nothing");
  await page.goto("/users?q=Northwind");
  await inspect(page, "people-users");
  await page.getByRole("button", { name: "Invite administrator" }).click();
  await inspect(page, "people-create-admin");
  await page.goto("/resellers/new");
  await inspect(page, "people-new-reseller");
  await page.goto(`/resellers/${reseller.resellerId}/settings`);
  await inspect(page, "people-reseller-settings");
  await page.goto(`/resellers/${reseller.resellerId}/team`);
  await page.getByRole("button", { name: "Actions for Ada Northwind" }).click();
  await page.getByRole("menuitem", { name: "Reset password" }).click();
  await page.getByRole("button", { name: "Reset password" }).click();
  await expect(page.getByText("A password for Ada Northwind")).toBeVisible();
  await inspect(page, "people-password");
  await page.getByRole("button", { name: "Done" }).click();
  await page.goto(`/resellers/${reseller.resellerId}/settings`);
  await page.getByRole("button", { name: "Suspend reseller" }).click();
  await inspect(page, "people-suspend");
});

test("acting as a reseller, and everybody's own settings, are accessible and fit", async ({
  page,
  login,
  reseller,
  context,
  apiUrl,
}) => {
  test.slow();
  await furnish(reseller);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Act as" }).click();
  await inspect(page, "people-act-as");
  await page.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page.getByRole("region", { name: "Acting as a reseller" })).toBeVisible();
  await inspect(page, "people-acting");
  await page.goto("/audit");
  await page.getByRole("row").filter({ hasText: "Wallet topped up" }).locator("summary").click();
  await inspect(page, "people-own-audit");
  const user = await newUser(reseller.resellerId);
  await signInAs(context, user, apiUrl);
  await signInAs(context, user, apiUrl);
  await getRuntime().db.prisma.session.updateMany({
    where: { userId: user.userId },
    data: { address: "203.0.113.9", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0" },
  });
  await page.goto("/settings");
  await inspect(page, "people-settings");
  await page.goto("/settings/team");
  await inspect(page, "people-team");
  const data = { oneTimePasswordUntil: new Date(Date.now() + 60_000) };
  await getRuntime().db.prisma.user.update({ where: { id: user.userId }, data });
  await page.goto("/wallet");
  await expect(page).toHaveURL(/\/new-password$/);
  await inspect(page, "people-new-password");
});
