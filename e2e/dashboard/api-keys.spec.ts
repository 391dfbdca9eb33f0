import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { dispatchClient, pathClient } from "../support/client.ts";
import { expect, expectRefusal, test } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";

const KEY = /^lk_live_[0-9A-Za-z]{38}$/;

async function shownSecret(page: Page, label: string): Promise<string> {
  const copy = page.getByRole("button", { name: `Copy ${label}` });
  return (await copy.locator("xpath=ancestor::div[1]//code").textContent()) ?? "";
}

/** Creates a key through the form, and tells it. */
async function createKey(page: Page, preset: RegExp, name = "Shop back end"): Promise<string> {
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill(name);
  await page.getByRole("radio", { name: preset }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { name: "Key created" })).toBeFocused();
  return shownSecret(page, "API key");
}

const licenseField = (page: Page) => page.getByRole("combobox", { name: "License" });

const withKey = (reseller: Reseller, apiKey: string) => {
  const caller = { baseUrl: reseller.baseUrl, apiKey, source: reseller.source };
  return { path: pathClient(caller), dispatch: dispatchClient(caller) };
};

test("a key that verifies only is created, shown once, works, and can do no more", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense();
  await login(reseller);
  const apiKey = await createKey(page, /Verify only/);
  expect(apiKey).toMatch(KEY);
  const { path, dispatch } = withKey(reseller, apiKey);
  expect((await path.post("/license/verify", { license_key: license.license_key })).status).toBe(200);
  expect((await dispatch.get("balance")).status).toBe(403);

  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Shop back end", level: 1 })).toBeVisible();
  await expect(page.getByRole("region", { name: "Details" })).toContainText(
    `${apiKey.slice(0, 10)}…${apiKey.slice(-4)}`,
  );
  expect(await page.content()).not.toContain(apiKey);
});

test("an agent key works for that license alone, and says so", async ({ page, login, reseller }) => {
  const ip = reseller.newAddress();
  const [own, other] = [await reseller.newLicense({ ip }), await reseller.newLicense()];
  await login(reseller);
  await page.goto(`/api-keys/new?preset=agent&license=lic_${own.license_id}`);
  await expect(licenseField(page)).toHaveValue(`lic_${own.license_id}`);
  await expect(page.getByLabel("Name")).toHaveValue(`Agent of lic_${own.license_id}`);
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { name: "Key created" })).toBeFocused();
  const { path } = withKey(reseller, await shownSecret(page, "API key"));
  const code = async ({ license_key }: typeof own) => (await path.post("/license/verify", { license_key })).body.code;
  expect(await code(own)).not.toBe("NOT_FOUND");
  expect(await code(other)).toBe("NOT_FOUND");
  await page.getByRole("link", { name: "Done" }).click();
  const details = page.getByRole("region", { name: "Details" });
  await expect(details.getByRole("link")).toHaveAttribute("href", `/licenses/${own.license_id}`);
  await expect(details).toContainText(`lic_${own.license_id} · Active`);
  await page.goto("/api-keys?of=agents");
  await expect(page.getByText(`${own.name} · ${ip} lic_${own.license_id}`)).toBeVisible();
});

test("a key for a license that does not exist is refused at the field, and more access drops the license", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/api-keys/new?preset=agent&license=lic_2000000000");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(licenseField(page)).toHaveAccessibleDescription(/none of your licenses/);
  await licenseField(page).fill("web1");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(licenseField(page)).toHaveAccessibleDescription(/a license id such as lic_12/);
  await page.getByRole("radio", { name: /Read only/ }).check();
  await expect(licenseField(page)).toBeHidden();
});

test("name, scopes, addresses, expiry and signing are as chosen", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/api-keys/new?preset=custom");
  await page.getByLabel("Name").fill("Billing");
  await page.getByRole("checkbox", { name: /wallet:read/ }).check();
  await page.getByRole("checkbox", { name: /catalog:read/ }).check();
  await page.getByLabel("Expires").selectOption("on");
  await page.getByLabel("Last day").fill("2099-12-31");
  await page.getByLabel("Source addresses").fill("203.0.113.0/24\n198.51.100.7, 198.51.100.7");
  await page.getByRole("radio", { name: /Required/ }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  expect(await shownSecret(page, "API key")).toMatch(KEY);
  expect((await shownSecret(page, "signing secret")).length).toBeGreaterThan(20);
  await expect(page.getByText("Copy both now: they are not shown again")).toBeVisible();
  const key = await getRuntime().db.prisma.apiKey.findFirst({
    where: { resellerId: reseller.resellerId, name: "Billing" },
  });
  expect(key).toMatchObject({
    scopes: ["wallet:read", "catalog:read"],
    allowedCidrs: ["203.0.113.0/24", "198.51.100.7"],
    requiresSignature: true,
    rateLimitPerMinute: 600,
    expiresAt: new Date("2100-01-01T00:00:00Z"),
  });
});

test("what is wrong is said beside each field, and nothing is created", async ({ page, login, newReseller }) => {
  const reseller = await newReseller();
  await login(reseller);
  await page.goto("/api-keys/new?preset=custom");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.locator("form").getByRole("alert")).toContainText("Give the key a name.");
  await expect(page.locator("form").getByRole("alert")).toContainText("Choose at least one scope.");
  await page.getByLabel("Name").fill("x");
  await page.getByRole("radio", { name: /Read only/ }).check();
  await page.getByLabel("Source addresses").fill("10.0.0.0/33");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Source addresses")).toHaveAccessibleDescription(
    /has 10.0.0.0\/33, which is no address/,
  );
  expect(await getRuntime().db.prisma.apiKey.count({ where: { resellerId: reseller.resellerId } })).toBe(1);
});

test("a double click creates one key, and shows it", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill("Once");
  await page.getByRole("button", { name: "Create key" }).dblclick();
  expect(await shownSecret(page, "API key")).toMatch(KEY);
  expect(await getRuntime().db.prisma.apiKey.count({ where: { resellerId: reseller.resellerId, name: "Once" } })).toBe(
    1,
  );
});

test("rotation shows the new key once, and the old one works until the grace is over", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  const old = await createKey(page, /Read only/);
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("button", { name: "Rotate" }).click();
  const dialog = page.getByRole("dialog");
  await page.getByLabel("Current key").selectOption("Expires immediately");
  await expect(dialog).toContainText("This key is refused everywhere within a second");
  await page.getByLabel("Current key").selectOption("Works for another hour");
  await expect(dialog).toContainText("Both keys work until this one ends");
  await dialog.getByRole("button", { name: "Rotate" }).click();
  await expect(page.getByRole("dialog", { name: "Key rotated" })).toContainText("The old key works until");
  const fresh = await shownSecret(page, "API key");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText(fresh.slice(-4));
  for (const apiKey of [old, fresh]) {
    expect((await withKey(reseller, apiKey).dispatch.get("balance")).status).toBe(200);
  }
  await page.goto("/api-keys");
  const oldRow = page.getByRole("row").filter({ hasText: old.slice(-4) });
  await expect(oldRow).toContainText("Expires soon");
  await oldRow.getByRole("link").click();
  await expect(page.getByText("This key was rotated")).toBeVisible();
  await expect(page.getByRole("button", { name: "Revoke" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Rotate" })).toHaveCount(0);
  await page.getByRole("link", { name: "The new key" }).click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText(fresh.slice(-4));
});

test("a key is revoked after a question, and refused within a second", async ({ page, login, reseller }) => {
  await login(reseller);
  const apiKey = await createKey(page, /Read only/, "Leaked");
  const { dispatch } = withKey(reseller, apiKey);
  expect((await dispatch.get("balance")).status).toBe(200);
  await page.getByRole("link", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect((await dispatch.get("balance")).status).toBe(200);
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("This key is revoked")).toBeVisible();
  await expect(page.getByRole("button", { name: "Rotate" })).toHaveCount(0);
  await expect.poll(async () => (await dispatch.get("balance")).status).toBe(401);
  await page.goto("/api-keys?state=ended");
  await expect(page.getByRole("row").filter({ hasText: "Leaked" })).toContainText(/Revoked.*Ended just now/);
  await page.getByRole("link", { name: "Active" }).click();
  await expect(page).toHaveURL(/state=live/);
  await expect(page.getByText("Leaked")).toHaveCount(0);
});

test("the log shows what was asked with the key a second before, and filters it by the address", async ({
  page,
  login,
  reseller,
}) => {
  const license = await reseller.newLicense();
  await login(reseller);
  const { path, dispatch } = withKey(reseller, (await reseller.newKey()).apiKey);
  const own = await getRuntime().db.prisma.apiKey.findFirstOrThrow({
    where: { resellerId: reseller.resellerId },
    orderBy: { id: "desc" },
  });
  for (let count = 0; count < 3; count++) await path.post("/license/verify", { license_key: license.license_key });
  await path.post("/license/verify", { license_key: "no key" });
  await path.get("/nowhere");
  const { headers } = await dispatch.get("balance");
  await expect
    .poll(async () => getRuntime().db.prisma.apiRequest.count({ where: { apiKeyId: own.id } }))
    .toBeGreaterThanOrEqual(4);

  await page.goto(`/api-keys/${own.id}`);
  const log = page.getByRole("table", { name: "Requests" });
  await expect(log.getByRole("row").filter({ hasText: headers["x-request-id"] as string })).toContainText("balance");
  await expect(
    log
      .getByRole("row")
      .filter({ has: page.getByText("Counted by the minute") })
      .first(),
  ).toContainText("license.verify");
  await expect(log.getByRole("row").filter({ hasText: "Unknown path" })).toContainText("404");
  await page.getByRole("link", { name: "Refused (4xx)" }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await expect(log.getByRole("row")).toHaveCount(3);
  await page.getByLabel("Operation").selectOption("license.verify");
  await expect(page).toHaveURL(/operation=license.verify/);
  await expect(log.getByRole("row")).toHaveCount(2);
  await page.goto(`/api-keys/${own.id}?status=5xx&span=1h`);
  await expect(page.getByText("No request matches")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(log).toBeVisible();
});

test("the log pages through 120 requests without a gap", async ({ page, login, reseller }) => {
  await login(reseller);
  await getRuntime().db.query(
    sql(`insert into api_requests (api_key_id, started_at, method, operation, status, total_duration_us, max_duration_us, request_id)
           select $1, date_trunc('second', now()) - n / 3 * interval '1 second', 'GET', 'balance', 200, 900, 900, 'req_n' || n
             from generate_series(1, 120) n`),
    [reseller.apiKeyId],
  );
  await page.goto(`/api-keys/${reseller.apiKeyId}`);
  const seen: string[] = [];
  for (let left = 3; left > 0; left--) {
    const ids = page.getByRole("table", { name: "Requests" }).getByText(/^req_n\d+$/);
    await expect(ids).toHaveCount(left === 1 ? 20 : 50);
    seen.push(...(await ids.allTextContents()));
    if (left === 1) break;
    const href = await page.getByRole("link", { name: "Next" }).getAttribute("href");
    await page.goto(href as string);
  }
  expect(new Set(seen).size).toBe(120);
  await expect(page.getByRole("link", { name: "Next" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "First page" })).toBeVisible();
});

test("another reseller's key is not found, nor what makes no sense", async ({
  login,
  reseller,
  newReseller,
  expectNothingAt,
}) => {
  const stranger = await newReseller();
  await login(stranger);
  for (const id of [String(reseller.apiKeyId), "0", "abc", "2147483647"]) {
    await expectNothingAt(`/api-keys/${id}?before=x&status=9xx&span=never`);
  }
});

test("an admin creates a reseller's key with a limit, and changes it", async ({ page, login, reseller }) => {
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/wallet`);
  await page.getByRole("navigation", { name: "Reseller" }).getByRole("link", { name: "API keys" }).click();
  await page.getByRole("link", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Made by us");
  await page.getByLabel("Requests per minute").fill("lots");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByLabel("Requests per minute")).toHaveAccessibleDescription(/must be a whole number/);
  await page.getByLabel("Requests per minute").fill("5000");
  await page.getByRole("button", { name: "Create key" }).click();
  expect(await shownSecret(page, "API key")).toMatch(KEY);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText("5,000 requests per minute");
  await page.getByRole("button", { name: "Rate limit" }).click();
  await expect(page.getByLabel("Requests per minute")).toBeFocused();
  await page.getByLabel("Requests per minute").fill("60");
  await page.getByRole("dialog").getByRole("button", { name: "Set limit" }).click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText("60 requests per minute");
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("This key is revoked")).toBeVisible();
});

test("each role has its own pages of keys, and visitors none", async ({ page, login, reseller, tolerate }) => {
  tolerate(/status of 403/);
  await page.goto("/api-keys");
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fapi-keys$/);
  await login("admin");
  for (const path of ["/api-keys", "/api-keys/new", `/api-keys/${reseller.apiKeyId}`]) {
    await expectRefusal(page, path, "resellers");
  }
  await login(reseller);
  const keys = `/resellers/${reseller.resellerId}/api-keys`;
  for (const path of [keys, `${keys}/new`, `${keys}/${reseller.apiKeyId}`]) {
    await expectRefusal(page, path, "administrators");
  }
});

test("a key's spending limit is set, counts what it spent before, and refuses the next charge", async ({
  page,
  login,
  reseller,
}) => {
  const { license_id } = await reseller.newLicense({ product: { price: 1_450n } });
  await login(reseller);
  await page.goto(`/api-keys/${reseller.apiKeyId}`);
  await page.getByRole("button", { name: "Spending limit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/per month/).fill("1.005");
  await dialog.getByRole("button", { name: "Set spending limit" }).click();
  await expect(dialog.getByLabel(/per month/)).toHaveAccessibleDescription(
    /has two meanings: type 1005, or at most 2 decimals/,
  );
  await dialog.getByLabel(/per month/).fill("20");
  await dialog.getByRole("button", { name: "Set spending limit" }).click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText(
    "$20.00 a month ($14.50 spent in this one)",
  );
  // Within a second every instance knows it.
  const dryRun = () => reseller.dispatch.post("license.renew", { license_id, dry_run: true });
  await expect.poll(async () => (await dryRun()).status).toBe(403);
  const refused = await reseller.dispatch.post("license.renew", { license_id });
  expect(refused).toMatchObject({ status: 403, body: { code: "NO_PERMISSION" } });
  expect(refused.text).toContain("This API key may spend $20.00 a month and has spent $14.50");
});
