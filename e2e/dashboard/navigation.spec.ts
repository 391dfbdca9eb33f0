import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";

const MANY = 1200;

test("however much waits, the navigation has its labels whole, and its links are named with the exact number", async ({
  page,
  login,
  reseller,
}) => {
  // Older than all others, so that these keep their place in the list.
  await getRuntime().db.query({
    text: `insert into top_up_requests (id, reseller_id, amount, reference, requested_by, created_at)
           select -n - $1 * 10000, $1, 100, 'W-' || n, 'system:test', '2020-01-01' from generate_series(1, $2::int) n`,
    values: [reseller.resellerId, MANY],
  });
  await login("admin");
  await page.goto("/top-ups");
  const navigation = page.getByRole("navigation", { name: "Main" });
  const link = navigation.getByRole("link", { name: /^Top-ups 1,\d{3} waiting$/ });
  await expect(link.getByText("99+")).toBeVisible();
  for (const name of ["Top-ups", "Reconciliation"]) {
    const label = navigation.getByText(name, { exact: true });
    expect(await label.evaluate((text) => text.scrollWidth - text.clientWidth), name).toBe(0);
  }
});
