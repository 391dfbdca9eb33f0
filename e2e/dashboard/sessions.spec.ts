import { getRuntime } from "#lib/runtime.ts";
import { expect, signInAs, test } from "../support/dashboard.ts";

const THREE_HOURS_MS = 3 * 60 * 60 * 1_000;

test("a user sees where they are signed in, and signs out everywhere else", async ({
  page,
  login,
  reseller,
  browser,
  apiUrl,
}) => {
  const user = await login(reseller);
  const elsewhere = await browser.newContext({ baseURL: apiUrl });
  await signInAs(elsewhere, user, apiUrl);
  await getRuntime().db.prisma.session.updateMany({
    where: { userId: user.userId },
    data: { address: "203.0.113.9", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Firefox/145.0" },
  });
  await page.goto("/settings");
  const sessions = page.getByRole("region", { name: "Where you are signed in" });
  await expect(sessions).toContainText("A session ends after 12 hours without use, and 7 days after signing in.");
  await expect(sessions.getByRole("listitem")).toHaveCount(2);
  const other = sessions.getByRole("listitem").filter({ hasNotText: "This one" });
  await expect(other).toContainText(/Firefox on Linux203\.0\.113\.9, signed in .+, last used .+/);
  const signOut = other.getByRole("button", { name: "Sign out Firefox on Linux" });
  await expect(signOut).toHaveAccessibleDescription(/203\.0\.113\.9, signed in .+/);
  await sessions.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await expect(sessions.getByRole("listitem")).toHaveCount(1);
  await expect(sessions.getByRole("listitem")).toContainText("This one");
  expect((await elsewhere.request.get("/wallet", { maxRedirects: 0 })).status()).toBe(307);
  await elsewhere.close();
});

test("in a tab that stays open, relative times are as of when they are shown", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.clock.setFixedTime(Date.now() - THREE_HOURS_MS);
  await page.goto("/settings");
  const sessions = page.getByRole("region", { name: "Where you are signed in" });
  await expect(sessions).toContainText(/last used (just )?now/);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Licenses" }).click();
  await expect(sessions).toHaveCount(0);
  await page.clock.setFixedTime(Date.now());
  await page.getByRole("button", { name: /account of/ }).click();
  await page.getByRole("menuitem", { name: "Settings" }).click();
  await expect(sessions).toContainText(/last used (just )?now/);
});
