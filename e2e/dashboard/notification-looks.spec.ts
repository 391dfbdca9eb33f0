import { randomUUID } from "node:crypto";
import { getRuntime } from "#lib/runtime.ts";
import { requestTopUp } from "#lib/services/wallet/request-top-up.ts";
import { expect, newUser, signInAs, test } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { newServer } from "../support/servers.ts";
import { adminContext, type Reseller } from "../support/world.ts";

const MINUTE_MS = 60_000;

/** One of each kind that comes from an event. */
async function furnish({ resellerId, newLicense }: Reseller): Promise<void> {
  const { license_id: licenseId } = await newLicense();
  const price = { price: 14.5, previous_price: 12, currency: "USD" };
  const events = [
    { kind: "license.renewal_failed", licenseId, data: { reason: "price_limit", ...price } },
    { kind: "wallet.low_balance", data: { balance: 12.5, threshold: 50, currency: "USD" } },
    { kind: "license.registration_failed", data: { type: "web_server", server: "mx1.northwind.example" } },
    { kind: "operation.settled", licenseId, data: { operation: "license.renew", outcome: "rejected" } },
    { kind: "operation.settled", licenseId, data: { operation: "license.register", outcome: "succeeded" } },
    { kind: "wallet.topped_up", data: { amount: 250, currency: "USD" } },
  ];
  await getRuntime().db.prisma.event.createMany({
    data: events.map((event, at) => ({
      ...event,
      id: randomUUID(),
      resellerId,
      occurredAt: new Date(Date.now() - at * at * 37 * MINUTE_MS),
    })),
  });
}

test("notifications and their bell are accessible and fit", async ({ page, context, login, reseller, apiUrl }) => {
  test.slow();
  const user = await newUser(reseller.resellerId);
  await signInAs(context, user, apiUrl);
  await page.goto("/notifications");
  await inspect(page, "notifications-first");
  await furnish(reseller);
  await (await newServer(reseller)).report({ hostname: "mx1.northwind.example", diskFree: "200MB" });
  await page.goto("/notifications");
  await page.getByRole("button", { name: "Mark as read" }).nth(1).click();
  await expect(page.getByRole("button", { name: "Mark as read" })).toHaveCount(1);
  await inspect(page, "notifications");
  await login("admin");
  await requestTopUp(adminContext(reseller.resellerId), { amount: "7", reference: "Transfer 8", method: "card" });
  await page.goto("/notifications");
  await inspect(page, "notifications-admin");
});
