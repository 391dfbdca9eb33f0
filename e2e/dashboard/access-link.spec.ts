import type { Route } from "@playwright/test";
import { createUser } from "#lib/services/user/create.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, systemContext } from "../support/world.ts";

async function invite({ resellerId }: Reseller, name: string, mailbox?: string): Promise<string> {
  const email = mailbox ?? `${name.toLowerCase().replace(" ", ".")}@reseller-${resellerId}.example`;
  const { invitationUrl } = await createUser(systemContext(), { email, name, resellerId, role: "owner" });
  return `/set-password${new URL(invitationUrl ?? "").hash}`;
}

test("a link whose page was reloaded is asked for again, and opened in the same tab", async ({ page, reseller }) => {
  const link = await invite(reseller, "Lou Late");
  await page.goto(link);
  await expect(page.getByText("Choose a password, Lou Late.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Open the link again" })).toBeVisible();
  await inspect(page, "access-link-incomplete");
  await page.evaluate((to) => window.location.assign(to), link);
  await expect(page.getByText("Choose a password, Lou Late.")).toBeVisible();
});

test("a link stays out of the address and the history, when its form is refused and after it", async ({
  page,
  reseller,
}) => {
  await page.goto(await invite(reseller, "Lou Late"));
  const password = page.getByLabel("New password", { exact: true });
  await expect(password).toBeVisible();
  const shown: string[] = [];
  page.on("framenavigated", (frame) => shown.push(frame.url()));
  await password.fill("password1234");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(password).toHaveAttribute("aria-invalid", "true");
  await password.fill("correct horse battery staple");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
  expect(shown.filter((url) => url.includes("#"))).toEqual([]);
});

test("of two links opened one after the other, the first is not shown when it is answered late", async ({
  page,
  reseller,
}) => {
  const [first, last] = [await invite(reseller, "Lou Late"), await invite(reseller, "Max Last")];
  const asked: Route[] = [];
  await page.route("**/set-password", async (route) => {
    if (route.request().method() === "POST") asked.push(route);
    else await route.continue();
  });
  await page.goto(first);
  await expect.poll(() => asked.length).toBe(1);
  await page.evaluate((to) => window.location.assign(to), last);
  await asked[0]?.continue();
  // The browser asks for the second once the first is answered.
  await expect.poll(() => asked.length).toBe(2);
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  await expect(page.getByText("Lou Late")).toHaveCount(0);
  await asked[1]?.continue();
  await expect(page.getByText("Choose a password, Max Last.")).toBeVisible();
});

test("a browser that is signed in is said to change its user before a link's password is set", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const { email } = await login(reseller);
  await page.goto(await invite(await newReseller(), "Lou Late", email));
  await expect(page.getByText("You are signed in as Robin Example")).toBeVisible();
  await expect(page.getByText("Setting the password signs this browser in as Lou Late instead.")).toBeVisible();
  await inspect(page, "access-link-signed-in");
  await page.getByLabel("New password", { exact: true }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/);
  await expect(page.getByRole("button", { name: /Lou Late/ })).toBeVisible();
});
