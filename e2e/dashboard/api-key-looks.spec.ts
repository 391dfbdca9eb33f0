import { agentScopes, everydayScopes } from "#lib/domain/scopes.ts";
import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import type { Reseller } from "../support/world.ts";

const HOUR_MS = 3_600_000;

/** A reseller with a key in every state, and a key whose log has everything. */
async function furnishKeys(reseller: Reseller): Promise<{ readonly busyKeyId: number }> {
  const { prisma } = getRuntime().db;
  const { license_id } = await reseller.newLicense();
  const named = async (name: string, data: object, key: Parameters<Reseller["newKey"]>[0] = {}) => {
    const { apiKeyId } = await reseller.newKey(key);
    await prisma.apiKey.update({ where: { id: apiKeyId }, data: { name, rateLimitPerMinute: 600, ...data } });
    return apiKeyId;
  };
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  await named("Old shop", { revokedAt: ago(50), lastUsedAt: ago(52) });
  await named("Staging", { expiresAt: ago(200) });
  await named("Shop, before the move", { expiresAt: ago(-20), lastUsedAt: ago(0.1) });
  await named("web1.northwind.example", { lastUsedAt: ago(0.02) }, { scopes: agentScopes });
  await named("Agent of web2", { licenseId: license_id }, { scopes: agentScopes });
  const busyKeyId = await named(
    "Shop back end",
    { lastUsedAt: ago(0) },
    { scopes: everydayScopes, cidrs: ["203.0.113.0/24", "198.51.100.7"] },
  );
  const row = (minutesAgo: number, data: object) => ({
    apiKeyId: busyKeyId,
    startedAt: new Date(Date.now() - minutesAgo * 60_000),
    method: "POST",
    operation: "license.register",
    status: 200,
    totalDurationUs: 48_200n,
    maxDurationUs: 48_200,
    requestId: `req_${minutesAgo}Qm3f0aXw81LkT${minutesAgo}`,
    ...data,
  });
  const verified = { operation: "license.verify", requestId: null, requestCount: 240, totalDurationUs: 103_200n };
  await prisma.apiRequest.createMany({
    data: [
      row(1, { maxDurationUs: 4_100, ...verified }),
      row(2, { operation: "license.renew", status: 202, totalDurationUs: 3_004_000n }),
      row(3, {}),
      row(4, { status: 400 }),
      row(5, { method: "GET", operation: "balance", totalDurationUs: 1_900n }),
      row(6, { operation: "", status: 404, totalDurationUs: 210n, method: "GET" }),
      row(8, { operation: "license.renew", status: 500, totalDurationUs: 812_000n }),
      row(9, { maxDurationUs: 4_100, ...verified, requestCount: 600, totalDurationUs: 258_000n }),
      row(9, { operation: "", status: 429, requestId: null, requestCount: 712, totalDurationUs: 49_000n }),
    ],
  });
  return { busyKeyId };
}

test("the first API key is created on pages that are accessible and fit", async ({ page, login, newReseller }) => {
  test.slow();
  const empty = await newReseller({ funds: "0" });
  await login(empty);
  await page.goto(`/api-keys/${empty.apiKeyId}`);
  await expect(page.getByText("No requests yet")).toBeVisible();
  await inspect(page, "api-key-fresh");
  await getRuntime().db.prisma.apiKey.deleteMany({ where: { resellerId: empty.resellerId } });
  await page.goto("/developers");
  await expect(page.getByRole("link", { name: "Create the first key" })).toBeVisible();
  await expect(page.getByText("Rate limits")).toBeHidden();
  await inspect(page, "developers-empty");
  await page.goto("/developers/requests");
  await expect(page.getByText("No requests yet")).toBeVisible();
  await inspect(page, "request-log-empty");
  await page.goto("/api-keys");
  await inspect(page, "api-keys-empty");
  await page.goto("/api-keys/new");
  await inspect(page, "api-key-new");
  await page.getByRole("radio", { name: /Custom/ }).check();
  await page.getByLabel("Expires").selectOption("on");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByText("There are 3 problems")).toBeVisible();
  await inspect(page, "api-key-problems");
  await page.goto("/api-keys/new?preset=all");
  await page.getByLabel("Name").fill("Shop back end");
  await page.getByRole("radio", { name: /Optional/ }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("heading", { name: "Key created" })).toBeVisible();
  await expect(page.getByText("Waiting for the first request…")).toBeVisible();
  await inspect(page, "api-key-created");
  const apiKey = await page.getByText(/^lk_live_\w+$/).textContent();
  await empty.dispatch.get("me", {}, { key: apiKey });
  await expect(page.getByText("GET me was answered with status 200.")).toBeVisible();
  await inspect(page, "api-key-first-request");
  await page.goto("/developers");
  await expect(page.getByText("1 of 600")).toBeVisible();
  await inspect(page, "developers-first-request");
  await page.goto("/api-keys/new?preset=agent&license=lic_12");
  await inspect(page, "api-key-new-agent");
});

test("the choice of a key's license is accessible and fits", async ({ page, login, reseller }) => {
  const { license_id } = await reseller.newLicense();
  await reseller.newLicense();
  await login(reseller);
  await page.goto(`/api-keys/new?preset=agent&license=lic_${license_id}`);
  await inspect(page, "api-key-new-of-license");
  await page.getByRole("combobox", { name: "License" }).fill("");
  await expect(page.getByRole("listbox", { name: "licenses" }).getByRole("option")).toHaveCount(2);
  await page.keyboard.press("ArrowDown");
  await inspect(page, "api-key-choose-license");
});

test("the pages of API keys are accessible and fit", async ({ page, login, reseller }) => {
  test.slow();
  const { busyKeyId } = await furnishKeys(reseller);
  await login(reseller);
  await page.goto("/api-keys");
  await expect(page.getByText("Shop back end")).toBeVisible();
  await inspect(page, "api-keys");
  await page.getByRole("link", { name: "Agent keys" }).click();
  await expect(page.getByText("Shop back end")).toHaveCount(0);
  await inspect(page, "api-keys-of-agents");
  await page.getByRole("link", { name: "Agent of web2" }).click();
  await expect(page.getByRole("heading", { name: "Agent of web2" })).toBeVisible();
  await inspect(page, "api-key-of-license");
  await page.goto("/developers");
  await expect(page.getByText("1,312 of 600")).toBeVisible();
  await inspect(page, "developers");
  await page.goto("/developers/requests");
  await inspect(page, "request-log");
  await page.goto("/developers/requests?status=5xx&span=1h&request=req_none");
  await expect(page.getByText("No request matches")).toBeVisible();
  await inspect(page, "request-log-none");
  await page.goto(`/api-keys/${busyKeyId}`);
  await inspect(page, "api-key");
  await page.getByRole("button", { name: "Spending limit" }).click();
  await inspect(page, "api-key-spending-limit");
  await page.keyboard.press("Escape");
  await page.getByText("Everything", { exact: true }).click();
  await inspect(page, "api-key-scopes");
  await page.getByRole("button", { name: "Revoke" }).click();
  await inspect(page, "api-key-revoke");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Rotate" }).click();
  await inspect(page, "api-key-rotate");
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  await expect(page.getByRole("dialog", { name: "Key rotated" })).toBeVisible();
  await inspect(page, "api-key-rotated");
});

test("an admin's pages of a reseller's keys are accessible and fit", async ({ page, login, reseller }) => {
  const { busyKeyId } = await furnishKeys(reseller);
  await login("admin");
  await page.goto(`/resellers/${reseller.resellerId}/api-keys`);
  await inspect(page, "reseller-api-keys");
  await page.goto(`/resellers/${reseller.resellerId}/api-keys/${busyKeyId}`);
  await page.getByRole("button", { name: "Rate limit" }).click();
  await inspect(page, "reseller-api-key-limit");
});
