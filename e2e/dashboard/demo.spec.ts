import { getRuntime } from "#lib/runtime.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";

let server: OwnServer;

test.beforeAll(async () => {
  server = await startOwnServer("server", { LOG_LEVEL: "silent" });
});

test.afterAll(() => server.stop());

test("admins are warned while the demonstration's admin has the password that was printed, until it is changed", async ({
  page,
  context,
  newReseller,
}) => {
  const { prisma } = getRuntime().db;
  const demo = await newUser(null, "Demo Admin");
  await prisma.user.update({ where: { id: demo.userId }, data: { demoPassword: true } });
  const banner = page.getByRole("region", { name: "Demonstration" });

  await signInAs(context, await newUser(null), server.url);
  await page.goto(`${server.url}/users`);
  await expect(banner).toContainText("An administrator still has the password printed at the first start.");
  await inspect(page, "demo-banner");
  await banner.getByRole("link", { name: "Reset it or disable the user" }).click();
  await expect(page.getByRole("row").filter({ hasText: demo.email })).toBeVisible();

  await context.clearCookies();
  await signInAs(context, demo, server.url);
  await page.goto(`${server.url}/settings`);
  await expect(banner).toContainText("Your password was printed");
  const form = page.getByRole("region", { name: "Password" });
  await form.getByLabel("Current password", { exact: true }).fill(demo.password);
  await form.getByLabel("New password", { exact: true }).fill("a much better sentence");
  await form.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("You are signed out everywhere else.")).toBeVisible();
  await page.reload();
  await expect(banner).toHaveCount(0);

  await prisma.user.update({ where: { id: demo.userId }, data: { demoPassword: true } });
  await context.clearCookies();
  await signInAs(context, await newUser((await newReseller()).resellerId), server.url);
  await page.goto(`${server.url}/wallet`);
  await expect(banner).toHaveCount(0);
});
