import { expect, newUser, signInAs, test } from "../support/dashboard.ts";

test("filters are saved under a name, opened, renamed, shared with the team, and deleted", async ({
  page,
  login,
  reseller,
  context,
  apiUrl,
}) => {
  await reseller.newLicense();
  await login(reseller);
  await page.goto("/licenses");
  const menu = page.getByRole("button", { name: /^Views/ });
  await menu.click();
  await expect(page.getByText("A view is a name for filters and an order.")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto("/licenses?status=expired&expires=7");
  await menu.click();
  await expect(page.getByRole("menuitem", { name: "Save as a view" })).toBeFocused();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(/required/);
  await dialog.getByLabel("Name").fill("Overdue");
  await page.keyboard.press("Enter");
  await expect(page.getByText("View saved")).toBeVisible();
  await expect(menu).toHaveAccessibleName("Views: Overdue");

  await page.goto("/licenses?status=active");
  await menu.click();
  await page.getByRole("menuitem", { name: "Save as a view" }).click();
  await dialog.getByLabel("Name").fill("overdue");
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(dialog.getByLabel("Name")).toHaveAccessibleDescription(/taken by another of your views/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await menu.click();
  await page.getByRole("menuitem", { name: "Overdue" }).click();
  await expect(page).toHaveURL(/\/licenses\?(?=.*status=expired)(?=.*expires=7)/);
  await expect(menu).toHaveAccessibleName("Views: Overdue");

  await menu.click();
  await page.getByRole("menuitem", { name: "Rename or share" }).click();
  await dialog.getByLabel("Name").fill("To renew");
  await dialog.getByLabel("Share with your team").check();
  await dialog.getByRole("button", { name: "Save view" }).click();
  await expect(menu).toHaveAccessibleName("Views: To renew");

  await signInAs(context, await newUser(reseller.resellerId, "Ada Example", "viewer"), apiUrl);
  await page.goto("/licenses");
  await menu.click();
  const shared = page.getByRole("group", { name: "Shared with you" });
  await shared.getByRole("menuitem", { name: "To renew" }).click();
  await expect(page).toHaveURL(/status=expired/);
  await menu.click();
  await expect(page.getByRole("menuitem", { name: "Rename or share" })).toHaveCount(0);

  await signInAs(context, await newUser(reseller.resellerId, "Olga Example"), apiUrl);
  await page.goto("/licenses?status=expired&expires=7");
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await dialog.getByRole("button", { name: "Delete view" }).click();
  await expect(page.getByText("View deleted")).toBeVisible();
  await expect(menu).toHaveAccessibleName("Views");
});

test("admins save views of the list of all licenses, and of resellers", async ({ page, login, reseller }) => {
  await reseller.newLicense();
  await login("admin");
  for (const [path, name] of [
    [`/licenses?reseller=${reseller.resellerId}`, "One reseller's"],
    ["/resellers?low=true", "Low wallets"],
  ] as const) {
    await page.goto(path);
    const menu = page.getByRole("button", { name: /^Views/ });
    await menu.click();
    await page.getByRole("menuitem", { name: "Save as a view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
    await expect(menu).toHaveAccessibleName(`Views: ${name}`);
  }
});
