/** Pages of the version before the server's: Next loads them anew as soon as it would render them again. */
import type { Page } from "@playwright/test";
import { getRuntime } from "#lib/runtime.ts";
import { createWebhookEndpoint } from "#lib/services/webhook/create.ts";
import { sql } from "#tests/sql.ts";
import { totpCode } from "#tests/support/totp.ts";
import { expect, test } from "../support/webhooks.ts";
import { adminContext } from "../support/world.ts";

/** From now on, the server is of another version than the page. Returns how often a page was loaded anew. */
async function updateServer(page: Page): Promise<() => number> {
  await page.route("**", async (route) => {
    const { rsc, "next-action": action } = route.request().headers();
    if (rsc === undefined && action === undefined) return route.fallback();
    const postData = route
      .request()
      .postData()
      ?.replace(/\b\d{30}(?=\/)/, "1");
    const response = await route.fetch(postData === undefined ? {} : { postData });
    await route.fulfill({ response, headers: { ...response.headers(), "x-nextjs-deployment-id": "another" } });
  });
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

/** After whatever the answer has set going. */
async function expectLoads(page: Page, loads: () => number, expected: number): Promise<void> {
  await page.waitForLoadState("networkidle");
  expect(loads()).toBe(expected);
}

test("a key that is shown once stays until its user leaves it, also if it needed a proof first", async ({
  page,
  login,
  reseller,
}) => {
  const user = await login(reseller);
  await page.goto("/api-keys/new");
  await page.getByLabel("Name").fill("Shop");
  const loads = await updateServer(page);
  await getRuntime().db.query(
    sql("update sessions set proven_at = proven_at - interval '11 minutes' where user_id = $1"),
    [user.userId],
  );
  await page.getByRole("button", { name: "Create key" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm it's you" });
  await proof.getByLabel("Password", { exact: true }).fill(user.password);
  await page.keyboard.press("Enter");
  const key = page.getByText(/^lk_live_[0-9A-Za-z]{38}$/);
  await expect(key).toBeVisible();
  await expectLoads(page, loads, 0);
  await expect(key).toBeVisible();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Shop", level: 1 })).toBeVisible();
});

test("recovery codes stay until they are saved, then the page shows what has changed", async ({
  page,
  login,
  reseller,
}) => {
  await login(reseller);
  await page.goto("/settings");
  const loads = await updateServer(page);
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, new Date()));
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  await expectLoads(page, loads, 0);
  await page.getByRole("button", { name: "I have saved them" }).click();
  await expect(page.getByText("10 of 10 left")).toBeVisible();
  await expectLoads(page, loads, 1);
});

test("a secret stays on a page that asks for itself again at an interval", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  await page.clock.install();
  const pending = await createWebhookEndpoint(adminContext(reseller.resellerId), { url: receiver.url });
  await login(reseller);
  await page.goto(`/webhooks/whe_${pending.endpoint.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const secret = page.getByRole("dialog").getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  const loads = await updateServer(page);
  await page.clock.fastForward("01:00");
  await expectLoads(page, loads, 0);
  await expect(secret).toBeVisible();
});

test("an install command is copied before its page is loaded anew", async ({ page, context, login, reseller }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { license_id: licenseId } = await reseller.newLicense();
  await login(reseller);
  await page.goto(`/licenses/${licenseId}`);
  await updateServer(page);
  const loadedAnew = page.waitForEvent("load");
  await page.getByRole("button", { name: "Create key and copy command" }).click();
  await loadedAnew;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/install\.sh \| sh -s -- \S+ lk_live_/);
});

test("why a registration was refused stays to be read, with what was typed", async ({ page, login, reseller }) => {
  const address = reseller.newAddress();
  const { name } = await reseller.newLicense({ ip: address });
  await login(reseller);
  await page.goto("/licenses/new");
  await page.getByRole("radio", { name }).check();
  await page.getByLabel("Address").fill(address);
  const loads = await updateServer(page);
  await page.getByRole("button", { name: /^Register/ }).click();
  await expect(page.getByRole("button", { name: /already has a live license/ })).toBeVisible();
  await expectLoads(page, loads, 0);
  await expect(page.getByLabel("Address")).toHaveValue(address);
});
