import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { addWaitingTopUps } from "../support/waiting.ts";

test("an admin's phone shows below every page how much waits, and names its links with the exact number", async ({
  page,
  login,
  reseller,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await addWaitingTopUps(reseller.resellerId, 1200);
  await login("admin");
  await page.goto("/resellers?q=nothing+has+this");
  const link = page.getByRole("link", { name: /^Top-ups \d,\d{3} waiting$/ });
  await expect(link.getByText("99+")).toBeVisible();
  await inspect(page, "waiting");
});
