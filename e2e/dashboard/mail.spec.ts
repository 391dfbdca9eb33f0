import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, newUser, test, untilHydrated } from "../support/dashboard.ts";

const GOOD = "correct horse battery staple";
const newEmail = () => `${randomUUID()}@person.example`;

/** The link of the newest message to the address, as an admin finds it. */
async function linkFromOutbox(page: Page, email: string): Promise<string> {
  await page.goto(`/outbox?q=${email}`);
  await expect(page.getByText("No mail server is configured", { exact: true })).toBeVisible();
  const row = page.getByRole("row").filter({ hasText: email }).first();
  await expect(row).toContainText("Not sent: no mail server is configured.");
  await row.getByRole("link").click();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByText("The link is not shown")).toBeVisible();
  await page.getByRole("button", { name: "Show link" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Show link" }).click();
  const link = await dialog.getByText(/\/set-password#/).textContent();
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
  await page.goto(`/resellers/${reseller.resellerId}/settings`);
  await page.getByRole("button", { name: "Add a person" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Ivy Invited");
  await dialog.getByLabel("Email").fill(email);
  await dialog.getByRole("button", { name: "Invite" }).click();
  await expect(dialog.getByText("The user is invited")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  const link = await linkFromOutbox(page, email);

  await context.clearCookies();
  const startedAtMs = performance.now();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Welcome to License Desk" })).toBeVisible();
  await expect(page).toHaveURL(/\/set-password$/);
  await page.getByLabel("New password").fill("password1234");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(/too easy to guess/);
  await page.getByLabel("New password").fill(GOOD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
  expect(performance.now() - startedAtMs).toBeLessThan(20_000);

  await context.clearCookies();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "This link does not work any more" })).toBeVisible();
});

test("a forgotten password is replaced by a link; an unknown address gets the same answer", async ({
  page,
  login,
  reseller,
  context,
}) => {
  test.slow();
  const user = await newUser(reseller.resellerId, "Fay Forgetful");
  for (const email of [newEmail(), user.email]) {
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await untilHydrated(page);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send a link" }).click();
    await expect(page.getByRole("status").filter({ hasText: "If this address can sign in here" })).toBeVisible();
  }
  await login("admin");
  const link = await linkFromOutbox(page, user.email);
  await context.clearCookies();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await page.getByLabel("New password").fill(GOOD);
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
});
