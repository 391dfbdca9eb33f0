import { getRuntime } from "#lib/runtime.ts";
import { storeJobRun } from "#tests/support/job.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";

test("the system page says what works, is accessible and fits", async ({ page, login }) => {
  const run = { startedAt: new Date(Date.now() - 60_000), endedAt: new Date() };
  await storeJobRun(getRuntime().db, { ...run, name: "prune", error: null });
  await storeJobRun(getRuntime().db, { ...run, name: "verify_audit_log", error: "The database is unavailable." });
  await login("admin");
  await page.goto("/system");
  const checks = page.getByRole("region", { name: "Checks" });
  await expect(checks.getByRole("listitem")).toHaveCount(12);
  await expect(checks).toContainText("Worker: ");
  await expect(page.getByRole("table", { name: "Processes" }).getByRole("row").nth(1)).toBeVisible();
  await expect(page.getByRole("table", { name: "Largest tables" }).getByRole("row")).toHaveCount(11);
  await expect(checks.getByRole("link", { name: "View jobs" })).toHaveAttribute("href", "#jobs");
  const jobs = page.getByRole("table", { name: "Scheduled jobs" });
  await expect(jobs.getByRole("row", { name: "Verify audit log" })).toContainText("The database is unavailable.");
  await expect(jobs.getByRole("row", { name: "Delete old records" })).toContainText("Succeeded");
  await expect(page.getByRole("region", { name: "Retention" })).toContainText("Verifications90 days");
  await inspect(page, "system");
});
