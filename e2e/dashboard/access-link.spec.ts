import { createUser } from "#lib/services/user/create.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type Reseller, systemContext } from "../support/world.ts";

async function invite({ resellerId }: Reseller, name: string): Promise<string> {
  const email = `${name.toLowerCase().replace(" ", ".")}@reseller-${resellerId}.example`;
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

test("a browser that is signed in is said to change its user before a link's password is set", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto(await invite(reseller, "Lou Late"));
  await expect(page.getByText("You are signed in as Robin Example")).toBeVisible();
  await expect(page.getByText("Setting the password signs this browser in as Lou Late instead.")).toBeVisible();
  await inspect(page, "access-link-signed-in");
  await page.getByLabel("New password", { exact: true }).fill("correct horse battery staple");
  await page.getByRole("button", { name: "Set password and sign in" }).click();
  await expect(page).toHaveURL(/\/overview$/, { timeout: 15_000 });
  await expect(page.getByRole("button", { name: /Lou Late/ })).toBeVisible();
});
