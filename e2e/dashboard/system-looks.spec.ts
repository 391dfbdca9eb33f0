import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("the system page says what works, is accessible and fits", async ({ page, login }) => {
  await login("admin");
  await page.goto("/system");
  const checks = page.getByRole("region", { name: "Checks" });
  await expect(checks.getByRole("listitem")).toHaveCount(9);
  await expect(checks).toContainText("Worker: ");
  await expect(page.getByRole("table", { name: "Processes" }).getByRole("row").nth(1)).toBeVisible();
  await expect(page.getByRole("table", { name: "Largest tables" }).getByRole("row")).toHaveCount(11);
  await inspect(page, "system");
});
