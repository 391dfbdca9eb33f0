import { randomUUID } from "node:crypto";
import { eventKinds } from "#lib/domain/events.ts";
import type { ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import { sql } from "#tests/sql.ts";
import { answers, type Receiver } from "#tests/support/receiver.ts";
import { inspect } from "../support/looks.ts";
import { broken, expect, logRows, newEndpoint, test, untilAttempted } from "../support/webhooks.ts";
import type { Reseller } from "../support/world.ts";

const HOUR_MS = 3_600_000;
const EVENTS = 90;

interface Furnished {
  readonly busy: { readonly id: WebhookEndpointId; readonly href: string };
  readonly disabled: { readonly href: string };
}

/** A day of deliveries to a busy endpoint, a failing one, a paused one and one that is gone; nice names for pictures. */
async function furnish(reseller: Reseller, receiver: Receiver): Promise<Furnished> {
  const { prisma } = getRuntime().db;
  const busy = await newEndpoint(reseller, receiver, { description: "Billing system" });
  await prisma.event.createMany({ data: dayOfEvents(reseller.resellerId) });
  await untilAttempted(busy.id, EVENTS);
  await spreadOverTheDay(busy.id);
  const disabled = await newEndpoint(reseller, receiver, { description: "Staging", events: ["license.activated"] });
  receiver.answerWith(answers.status(410));
  await prisma.webhookEndpoint.update({ where: { id: busy.id }, data: { pausedAt: new Date() } });
  await reseller.newLicense();
  await untilAttempted(disabled.id, 1);
  receiver.answerWith(broken);
  await prisma.webhookEndpoint.update({ where: { id: busy.id }, data: { pausedAt: null } });
  await reseller.newLicense();
  await untilAttempted(busy.id, EVENTS + 1);
  const paused = await newEndpoint(reseller, receiver, { events: ["wallet.topped_up", "wallet.low_balance"] });
  await prisma.webhookEndpoint.update({ where: { id: paused.id }, data: { pausedAt: new Date() } });
  await name(busy.id, "https://billing.northwind.example/hooks/licenses");
  await name(disabled.id, "https://staging.northwind.example/hooks");
  await name(paused.id, "https://hooks.chat.example/services/T02AB/B07Q/4fGh81kLmn");
  return { busy, disabled };
}

async function name(id: WebhookEndpointId, url: string): Promise<void> {
  await getRuntime().db.prisma.webhookEndpoint.update({ where: { id }, data: { url } });
}

function dayOfEvents(resellerId: ResellerId) {
  return Array.from({ length: EVENTS }, (_, index) => ({
    id: randomUUID(),
    resellerId,
    kind: eventKinds[index % eventKinds.length] ?? "license.renewed",
    data: { license_id: "lic_12", type: "mail-gateway", server: "mail7.northwind.example" },
    occurredAt: new Date(Date.now() - ((EVENTS - index) / EVENTS) ** 1.4 * 23 * HOUR_MS),
  }));
}

/** When each attempt was made, how long it took, and that some failed. */
async function spreadOverTheDay(endpointId: WebhookEndpointId): Promise<void> {
  await getRuntime().db.query(
    sql(`
      update webhook_attempts a set
          started_at = v.occurred_at + interval '60 milliseconds',
          duration_ms = 70 + (a.id * 37) % 160 + case when a.id % 9 = 0 then 420 else 0 end,
          succeeded = a.id % 11 <> 0, status = case when a.id % 11 = 0 then 502 else 204 end
        from webhook_deliveries d join events v on v.id = d.event_id
       where d.id = a.delivery_id and a.endpoint_id = $1`),
    [endpointId],
  );
  // What failed at first was delivered at the second attempt, as the log says of it.
  await getRuntime().db.query(
    sql(`
      with second as (
        insert into webhook_attempts
               (delivery_id, endpoint_id, number, manual, started_at, succeeded, duration_ms, status, request_headers)
        select delivery_id, endpoint_id, number + 1, false, started_at + interval '5 seconds', true, 110, 204,
               request_headers
          from webhook_attempts
         where endpoint_id = $1 and not succeeded
        returning delivery_id, number
      )
      update webhook_deliveries d set attempt_count = second.number from second where d.id = second.delivery_id`),
    [endpointId],
  );
}

test("webhooks before there are any", async ({ page, login, reseller, receiver }) => {
  test.slow();
  await login(reseller);
  await page.goto("/webhooks");
  await inspect(page, "webhooks-empty");
  await page.goto("/webhooks/log");
  await inspect(page, "webhooks-log-empty");
  await page.goto("/webhooks/new");
  await inspect(page, "webhook-new");
  await page.getByRole("radio", { name: /Selected events/ }).check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("There are 2 problems")).toBeVisible();
  await inspect(page, "webhook-new-problems");
  await page.getByRole("checkbox", { name: "All wallet events" }).check();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Endpoint added" })).toBeVisible();
  await inspect(page, "webhook-secret");
});

test("endpoints in use", async ({ page, login, reseller, receiver }) => {
  test.slow();
  const { busy, disabled } = await furnish(reseller, receiver);
  await login(reseller);
  await page.goto("/webhooks");
  await inspect(page, "webhooks");
  await page.goto(disabled.href);
  await inspect(page, "webhook-disabled");
  await page.goto(busy.href);
  await inspect(page, "webhook");
  await page.getByText("Show as a table").click();
  await inspect(page, "webhook-table");
  await page.getByRole("button", { name: "Send test event" }).click();
  await inspect(page, "webhook-test");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await inspect(page, "webhook-rotated");
});

test("the log in use", async ({ page, login, reseller, receiver }) => {
  test.slow();
  await furnish(reseller, receiver);
  await login(reseller);
  await page.goto("/webhooks/log");
  await inspect(page, "webhooks-log");
  const fold = page.getByRole("button", { name: "Filters" });
  if (await fold.isVisible()) await fold.click();
  await page.getByRole("combobox", { name: "Time" }).selectOption("own");
  await expect(page.getByLabel("To", { exact: true })).toBeVisible();
  await inspect(page, "webhooks-log-range");
  await page.getByRole("button", { name: "Resend failed deliveries" }).click();
  await expect(page.getByText(/failed since then/)).toBeVisible();
  await inspect(page, "webhooks-resend");
  await page.keyboard.press("Escape");
  await logRows(page).nth(1).getByRole("link").click();
  await page
    .getByText(/^Request/)
    .first()
    .click();
  await inspect(page, "delivery");
  await page.getByRole("tab", { name: "This message, by hand" }).click();
  await page.getByRole("region", { name: "Verify the signature" }).evaluate((card) => card.scrollIntoView());
  await inspect(page, "delivery-recipe");
});
