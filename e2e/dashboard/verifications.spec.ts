import { readFileSync } from "node:fs";
import { join } from "node:path";
import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import type { Reseller } from "../support/world.ts";

const HOUR_MS = 3_600_000;
const DAYS = 24;

/** A license on an address of the reseller's, with a past: mostly valid, seen elsewhere lately. */
async function licenseWithPast(reseller: Reseller) {
  const bound = reseller.newAddress();
  const elsewhere = reseller.newAddress();
  const license = await reseller.newLicense({ ip: bound });
  const data = Array.from({ length: DAYS * 24 }, (_, hoursAgo) => ({
    resellerId: reseller.resellerId,
    licenseId: Number(license.license_id),
    seenIp: hoursAgo < 30 && hoursAgo % 3 === 0 ? elsewhere : bound,
    code:
      hoursAgo < 30 && hoursAgo % 3 === 0 ? "IP_MISMATCH" : hoursAgo > 300 && hoursAgo < 320 ? "SUSPENDED" : "VALID",
    checkedAt: new Date(Date.now() - hoursAgo * HOUR_MS - 60_000),
  })).toReversed();
  await getRuntime().db.prisma.verification.createMany({ data });
  return { ...license, bound, elsewhere };
}

test("why a verification failed, and rebinding the license to where it was seen, offered once an address", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const { license_id, license_key, bound, elsewhere } = await licenseWithPast(reseller);
  await page.goto(`/licenses/${license_id}`);
  const card = page.getByRole("region", { name: "Verifications" });
  await expect(card).toContainText("576 in the last 30 days, 29 not valid.");
  await expect(card.getByRole("table", { name: "Verifications", exact: true })).toContainText(`Bound to ${bound}`);
  await card.getByText("Show as a table").click();
  await expect(card.getByRole("table", { name: "Verifications by day" })).toContainText("Wrong address");

  await card.getByRole("button", { name: `Rebind to ${elsewhere}` }).click();
  const dialog = page.getByRole("dialog", { name: "Rebind the license?" });
  await expect(dialog).toContainText("CostFree");
  await expect(dialog).toContainText(`will verify only at ${elsewhere} and stop at ${bound} at once`);
  await dialog.getByRole("button", { name: `Bind to ${elsewhere}` }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("region", { name: "License" })).toContainText(elsewhere);
  await expect(card.getByRole("button", { name: /Rebind/ })).toHaveCount(0);
  const verdict = await reseller.path.post("/license/verify", { license_key, ip_address: elsewhere });
  expect(verdict.body.code).toBe("VALID");
});

test("the list of verifications is filtered and paged by its address", async ({ page, login, reseller }) => {
  await login(reseller);
  const { license_id } = await licenseWithPast(reseller);
  await page.goto(`/licenses/${license_id}`);
  await page.getByRole("link", { name: "All verifications" }).click();
  await expect(page).toHaveTitle(`Verifications of lic_${license_id} · License Desk`);
  const rows = page.getByRole("table", { name: "Verifications" }).getByRole("row");
  await expect(rows).toHaveCount(51);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page).toHaveURL(/before=\d+-\d+/);
  await expect(rows).toHaveCount(51);
  await page.getByRole("link", { name: "Wrong address" }).click();
  await expect(page).toHaveURL(/\?code=IP_MISMATCH$/);
  await expect(rows).toHaveCount(11);
  await page.getByRole("link", { name: "Expired" }).click();
  await expect(page.getByText("No verification matches")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(51);
});

test("a license that was never verified says so, and one that does not exist is not found", async ({
  page,
  login,
  reseller,
  expectNothingAt,
}) => {
  await login(reseller);
  const { license_id } = await reseller.newLicense();
  await page.goto(`/licenses/${license_id}/verifications`);
  await expect(page.getByText("Not verified yet")).toBeVisible();
  await expectNothingAt("/licenses/2147483647/verifications");
});

test("verifications are accessible and fit", async ({ page, login, reseller }) => {
  test.slow();
  await login(reseller);
  const { license_id, elsewhere } = await licenseWithPast(reseller);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/licenses/${license_id}`);
    const card = page.getByRole("region", { name: "Verifications" });
    await card.scrollIntoViewIfNeeded();
    await card.getByText("Show as a table").click();
    await inspect(page, "license-verifications");
    await card.getByRole("button", { name: `Rebind to ${elsewhere}` }).click();
    await inspect(page, "license-rebind");
  }
  await page.goto(`/licenses/${license_id}/verifications`);
  await inspect(page, "verifications");
  await page.goto(`/licenses/${license_id}/verifications?code=EXPIRED`);
  await inspect(page, "verifications-nothing-found");
});

test("the agent's script is served as it is", async ({ request }) => {
  const response = await request.get("/agent.sh");
  expect(response.headers()["content-type"]).toContain("text/x-shellscript");
  expect(await response.text()).toBe(readFileSync(join(import.meta.dirname, "..", "..", "agent", "agent.sh"), "utf8"));
});
