import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { getRuntime } from "#lib/runtime.ts";
import { expect, test } from "../support/dashboard.ts";
import type { Reseller } from "../support/world.ts";

const run = promisify(execFile);

async function untilLogged(reseller: Reseller, count: number): Promise<void> {
  const where = { apiKey: { resellerId: reseller.resellerId } };
  await expect.poll(() => getRuntime().db.prisma.apiRequest.count({ where })).toBe(count);
}

/** Two keys with different requests; the ids of the first key's. */
async function useTwoKeys(reseller: Reseller) {
  const second = await reseller.newKey();
  await getRuntime().db.prisma.apiKey.update({ where: { id: second.apiKeyId }, data: { name: "Billing" } });
  const balance = await reseller.dispatch.get("balance");
  await reseller.dispatch.get("products");
  await reseller.dispatch.get("balance", {}, { key: second.apiKey });
  await reseller.path.get("/nowhere", {}, { key: second.apiKey });
  await untilLogged(reseller, 4);
  return { secondKeyId: second.apiKeyId, balanceId: String(balance.headers["x-request-id"]) };
}

test("the request log has the requests of all keys, and its URL holds the filters", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const { secondKeyId, balanceId } = await useTwoKeys(reseller);
  const stranger = await newReseller();
  await stranger.dispatch.get("bundles");
  await untilLogged(stranger, 1);
  await login(reseller);
  await page.goto("/developers");
  await page.getByRole("main").getByRole("link", { name: "Request log" }).click();
  const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
  await expect(rows).toHaveCount(5);
  await page.getByLabel("Key", { exact: true }).selectOption("Billing");
  await expect(page).toHaveURL(`/developers/requests?key=${secondKeyId}`);
  await expect(rows).toHaveCount(3);
  await page.getByRole("link", { name: "Refused (4xx)" }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText("Unknown path");
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(page.getByLabel("Key", { exact: true })).toHaveValue(String(secondKeyId));
  await page.goto("/developers/requests?operation=balance");
  await expect(rows).toHaveCount(3);
  await page.getByRole("textbox", { name: "Request ID" }).fill(` ${balanceId} `);
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText(balanceId);
  await rows.last().getByRole("link").click();
  await expect(page).toHaveURL(`/api-keys/${reseller.apiKeyId}`);
  await expect(rows).toHaveCount(3);
});

test("another reseller's key or request id finds nothing, and what makes no sense is no filter", async ({
  page,
  login,
  reseller,
  newReseller,
}) => {
  const { balanceId } = await useTwoKeys(reseller);
  const stranger = await newReseller();
  await stranger.dispatch.get("bundles");
  await untilLogged(stranger, 1);
  await login(stranger);
  for (const filter of [`key=${reseller.apiKeyId}`, `request=${balanceId}`]) {
    await page.goto(`/developers/requests?${filter}`);
    await expect(page.getByText("No request matches")).toBeVisible();
  }
  expect(await (await page.request.get(`/api-keys/${reseller.apiKeyId}/newest`)).json()).toBeNull();
  await page.goto("/developers/requests?key=x&status=9xx&span=never&before=1&request=%00");
  await expect(page.getByRole("table", { name: "Requests" }).getByRole("row")).toHaveCount(2);
});

test("the log of all keys pages without a gap", async ({ page, login, reseller }) => {
  const { apiKeyId } = await reseller.newKey();
  await getRuntime().db.prisma.apiRequest.createMany({
    data: Array.from({ length: 120 }, (_, n) => ({
      apiKeyId: n % 2 ? apiKeyId : reseller.apiKeyId,
      startedAt: new Date(Date.now() - Math.floor(n / 3) * 1_000),
      method: "GET",
      operation: "balance",
      status: 200,
      totalDurationUs: 900n,
      maxDurationUs: 900,
      requestId: `req_n${n}`,
    })),
  });
  await login(reseller);
  await page.goto("/developers/requests");
  const seen: string[] = [];
  for (const count of [50, 50, 20]) {
    const ids = page.getByText(/^req_n\d+$/);
    await expect(ids).toHaveCount(count);
    seen.push(...(await ids.allTextContents()));
    const href = await page
      .getByRole("link", { name: "Next" })
      .getAttribute("href", { timeout: 1_000 })
      .catch(() => null);
    if (href !== null) await page.goto(href);
  }
  expect(new Set(seen).size).toBe(120);
});

test("a new key's page shows a request with the key, and turns green when it has arrived", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill("Shop");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Waiting for the first request…" })).toBeVisible();
  const command = await page.getByRole("region", { name: "First request" }).locator("pre").textContent();
  const { stdout } = await run("sh", ["-c", `${command} -sS`]);
  expect(JSON.parse(stdout)).toMatchObject({ key: { name: "Shop" } });
  await expect(page.getByText("GET me.get was answered with status 200.")).toBeVisible();
});

test("a new key's page shows a rejected first request, and no unsigned one for a key that requires signatures", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill("Elsewhere");
  await page.getByLabel("Source addresses").fill("203.0.113.0/24");
  await page.getByRole("button", { name: "Create key" }).click();
  const command = await page.getByRole("region", { name: "First request" }).locator("pre").textContent();
  await run("sh", ["-c", `${command} -sS`]);
  await expect(page.getByText("First request refused")).toBeVisible();
  await expect(page.getByText("was answered with status 403.")).toBeVisible();
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill("Signed");
  await page.getByRole("radio", { name: /Required/ }).check();
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("link", { name: "signed" })).toHaveAttribute("href", "/docs/rules#rule-3.14");
  await expect(page.getByRole("region", { name: "First request" }).locator("pre")).toHaveCount(0);
});

test("the busiest minute of a key is shown against its limit", async ({ page, login, reseller }) => {
  await login(reseller);
  await page.goto("/developers");
  await expect(page.getByText("No key was used in the last hour.")).toBeVisible();
  const { apiKey, apiKeyId } = await reseller.newKey({ rateLimit: 2 });
  for (let count = 0; count < 3; count++) await reseller.dispatch.get("balance", {}, { key: apiKey });
  const where = { apiKeyId, status: 429 };
  await expect.poll(() => getRuntime().db.prisma.apiRequest.count({ where })).toBe(1);
  await page.reload();
  const row = page.getByRole("table", { name: "Rate limits" }).getByRole("row").last();
  await expect(row).toContainText(/[23] of 2/);
  await expect(row).toContainText("1 refused");
  await row.getByRole("link").click();
  await expect(page.getByRole("region", { name: "Details" })).toContainText("1 refused");
});
