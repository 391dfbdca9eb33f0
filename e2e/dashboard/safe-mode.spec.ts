import { expect, newUser, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { type OwnServer, startOwnServer } from "../support/own-server.ts";

let server: OwnServer;

test.beforeAll(async () => {
  server = await startOwnServer("server", { SAFE_MODE: "on", LOG_LEVEL: "silent" });
});

test.afterAll(() => server.stop());

test("in safe mode everything can be looked at, nothing changes, and every page says so", async ({
  page,
  newReseller,
}) => {
  const reseller = await newReseller();
  const user = await newUser(reseller.resellerId);
  await page.goto(`${server.url}/sign-in?next=/wallet`);
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/wallet");
  await expect(page.getByRole("region", { name: "Safe mode" })).toContainText(
    "every change is refused, and nothing is renewed or sent",
  );
  await inspect(page, "safe-mode");

  const { apiKey } = reseller;
  const ask = (endpoint: string, form?: Record<string, string | number>) =>
    page.request.fetch(`${server.url}/api/v1/?endpoint=${endpoint}`, {
      method: form ? "POST" : "GET",
      headers: { "x-api-key": apiKey, "idempotency-key": "safe-mode" },
      ...(form ? { form } : {}),
    });
  expect((await ask("balance")).status()).toBe(200);
  const refused = await ask("license.register", { product_id: 1, cycle_id: 1, ip_address: "203.0.113.9" });
  expect(refused.status()).toBe(503);
  expect(refused.headers()["retry-after"]).toBe("30");
  expect(await refused.json()).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("read-only") });
  expect(await (await ask("balance")).json()).toMatchObject({ data: { pending_transactions: 0 } });
});
