import { randomUUID } from "node:crypto";
import { getRuntime } from "#lib/runtime.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { newServer } from "../support/servers.ts";
import { adminContext } from "../support/world.ts";

test("the bell counts what is unread, leads to each fact's remedy, and is quiet once all is read, on any device", async ({
  page,
  context,
  reseller,
  apiUrl,
}) => {
  const { prisma } = getRuntime().db;
  const { resellerId } = reseller;
  const user = await newUser(resellerId);
  const { license_id: licenseId } = await reseller.newLicense();
  const failed = { resellerId, licenseId, kind: "license.renewal_failed", data: { reason: "insufficient_balance" } };
  await prisma.event.create({ data: { ...failed, id: randomUUID(), occurredAt: new Date() } });
  await signInAs(context, user, apiUrl);
  await page.goto("/licenses");
  await page.getByRole("link", { name: "Notifications, 1 unread" }).click();
  const list = page.getByRole("list", { name: "Notifications" });
  const line = list.getByRole("listitem").filter({ hasText: "was not renewed" });
  await expect(line).toContainText("Not enough balance");
  await expect(line).toContainText("Unread");
  await page.getByRole("button", { name: "Mark all as read" }).click();
  await expect(page.getByRole("link", { name: "Notifications", exact: true })).toBeVisible();
  await expect(line).not.toContainText("Unread");
  await expect(page.getByRole("button", { name: "Mark all as read" })).toHaveCount(0);
  await line.getByRole("link", { name: "View license" }).click();
  await expect(page).toHaveURL(new RegExp(`/licenses/${licenseId}$`));

  await context.clearCookies();
  await signInAs(context, user, apiUrl);
  await page.goto("/licenses");
  await expect(page.getByRole("link", { name: "Notifications", exact: true })).toBeVisible();
});

test("a full disk is in the bell, with the way to its server, and is marked as read and unread alone", async ({
  page,
  context,
  reseller,
  apiUrl,
}) => {
  const user = await newUser(reseller.resellerId);
  for (const [hostname, diskFree] of [
    ["full.northwind.example", "200MB"],
    ["fuller.northwind.example", "100MB"],
  ]) {
    await (await newServer(reseller)).report({ hostname, diskFree });
  }
  await signInAs(context, user, apiUrl);
  await page.goto("/notifications");
  const bell = (unread: number) => page.getByRole("link", { name: `Notifications, ${unread} unread` });
  await expect(bell(2)).toBeVisible();
  const line = page
    .getByRole("list", { name: "Notifications" })
    .getByRole("listitem")
    .filter({ hasText: "full.northwind.example has 200 MB disk left" });
  await line.getByRole("button", { name: "Mark as read" }).click();
  await expect(bell(1)).toBeVisible();
  await expect(line).not.toContainText("Unread");
  await line.getByRole("button", { name: "Mark as unread" }).click();
  await expect(bell(2)).toBeVisible();
  await expect(line).toContainText("Unread");
  await line.getByRole("link").click();
  await expect(page).toHaveURL(/\/diagnostics\//);
});

test("an admin is notified of what resellers report, and has no notifications while acting as one", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/status of 403/);
  await login("admin");
  await requestTopUp(adminContext(reseller.resellerId), { amount: "7", reference: "Transfer 7", method: "card" });
  await page.goto("/notifications");
  const list = page.getByRole("list", { name: "Notifications" });
  const requested = list.getByRole("listitem").filter({ hasText: "reports a payment of $7.00" });
  await expect(requested.last()).toContainText("Credit or decline it.");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("button", { name: "Act as" }).click();
  await page.getByRole("button", { name: "Act as this reseller" }).click();
  await expect(page.getByRole("region", { name: "Acting as a reseller" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Notifications/ })).toHaveCount(0);
  expect((await page.goto("/notifications"))?.status()).toBe(403);
});
