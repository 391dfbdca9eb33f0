import { expect, test } from "../support/dashboard.ts";

test("a new account is led to its first license, key and endpoint, and what is done is ticked", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/overview");
  const card = page.getByRole("region", { name: "First steps" });
  await expect(card).toContainText("2 of 4 done");
  await expect(card.getByRole("link", { name: "Create key" })).toHaveCount(0);
  await expect(card.getByRole("link", { name: "Add endpoint" })).toHaveAttribute("href", "/webhooks/new");
  await card.getByRole("link", { name: "Register license" }).click();
  await expect(page.getByRole("heading", { name: "Register a license" })).toBeVisible();
  await reseller.newLicense();
  await page.goto("/overview");
  await expect(card).toContainText("3 of 4 done");
  await expect(card.getByRole("link")).toHaveText(["Add endpoint"]);
});

test("who wants none of it dismisses it, and it stays away", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/overview");
  const card = page.getByRole("region", { name: "First steps" });
  await card.getByRole("button", { name: "Dismiss" }).click();
  await expect(card).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(card).toHaveCount(0);
});
