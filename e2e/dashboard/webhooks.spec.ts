import { Webhook } from "standardwebhooks";
import { getRuntime } from "#lib/runtime.ts";
import { answers, expect, newEndpoint, test, untilAttempted } from "../support/webhooks.ts";

test("an endpoint is added by the form, and its secret is shown this once", async ({
  page,
  login,
  reseller,
  receiver,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await login(reseller);
  await page.goto("/webhooks");
  await page.getByRole("link", { name: "Add your first endpoint" }).click();
  await expect(page).toHaveTitle("Add an endpoint · License Desk");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByLabel("Description").fill("Billing system");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Endpoint added" })).toBeFocused();
  await expect(page.getByText("it is not shown again")).toBeVisible();
  const secret = await page.getByText(/^whsec_/).innerText();
  await page.getByRole("button", { name: "Copy signing secret" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("heading", { name: "Billing system" })).toBeVisible();
  await expect(page.getByText(secret)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("region", { name: "Settings" })).toContainText(receiver.url);
  expect(await page.content()).not.toContain("whsec_");

  await reseller.newLicense();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  const [webhook] = receiver.received;
  const event = new Webhook(secret).verify(webhook?.body ?? "", webhook?.headers as never);
  expect(event).toMatchObject({ event: "license.activated" });
  const kept = await getRuntime().db.prisma.idempotencyRecord.findMany({ where: { resellerId: reseller.resellerId } });
  expect(JSON.stringify(kept), "the secret is not kept with the answer").not.toContain(secret);
});

test("what is wrong with an endpoint is said at its field", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  await page.goto("/webhooks/new");
  await page.getByRole("radio", { name: /Selected events/ }).check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "There are 2 problems" })).toBeFocused();
  await expect(page.getByLabel("URL")).toHaveAccessibleDescription(/Enter the URL/);
  await page.getByLabel("URL").fill("http://user:secret@example.com/");
  await page.getByRole("checkbox", { name: "wallet.topped_up" }).check();
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByLabel("URL")).toHaveAccessibleDescription(/must not contain a user name or password/);
  await page.getByLabel("URL").fill("https://169.254.169.254/latest/meta-data");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByLabel("URL")).toHaveAccessibleDescription(/private or reserved/);
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByRole("region", { name: "Settings" })).toContainText("wallet.topped_up");
});

test("kinds are chosen by group, and changed later", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  const { href, id } = await newEndpoint(reseller, receiver, { events: ["wallet.topped_up"] });
  await page.goto(href);
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByRole("radio", { name: /Selected events/ })).toBeChecked();
  const whole = page.getByRole("checkbox", { name: "All wallet events" });
  await expect(whole).toBeChecked({ indeterminate: true });
  await whole.check();
  await expect(page.getByRole("checkbox", { name: "wallet.low_balance" })).toBeChecked();
  await page.getByRole("checkbox", { name: "All bundle events" }).check();
  await page.getByRole("checkbox", { name: "bundle.renewed" }).uncheck();
  await expect(page.getByRole("group", { name: "Bundles" })).toContainText("2 of 3");
  await page.getByRole("radio", { name: /In order/ }).check();
  await page.getByRole("button", { name: "Save changes" }).click();
  const settings = page.getByRole("region", { name: "Settings" });
  await expect(settings).toContainText("One at a time, in order");
  await expect(settings.getByRole("listitem")).toHaveText([
    "bundle.registered",
    "bundle.ip_changed",
    "wallet.topped_up",
    "wallet.low_balance",
  ]);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("radio", { name: /All events/ }).check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(settings).toContainText("All events");
  const row = await getRuntime().db.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id } });
  expect(row).toMatchObject({ kinds: [], ordered: true });
});

test("a rotated secret is shown once, and for a day both sign", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  const { href, secret } = await newEndpoint(reseller, receiver);
  await page.goto(href);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await expect(page.getByRole("dialog")).toContainText("signed with both the new and the current secret");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Secret rotated" });
  const rotated = await dialog.getByText(/^whsec_/).innerText();
  await page.keyboard.press("Escape");
  await expect(dialog, "does not go by accident").toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Two secrets are active")).toBeVisible();
  expect(await page.content()).not.toContain(rotated);
  await reseller.newLicense();
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  const [webhook] = receiver.received;
  for (const known of [secret, rotated]) new Webhook(known).verify(webhook?.body ?? "", webhook?.headers as never);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Rotate secret" }).click();
  await expect(page.getByRole("dialog")).toContainText("Rotating again ends it at once");
});

test("a paused endpoint is told of nothing until it is resumed", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  const { href, id } = await newEndpoint(reseller, receiver);
  await page.goto(href);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
  await expect(page.getByText("Paused by you")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  await reseller.newLicense();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Paused by you")).toHaveCount(0);
  await reseller.newLicense();
  await untilAttempted(id, 1);
  expect(await getRuntime().db.prisma.webhookDelivery.count({ where: { endpointId: id } })).toBe(1);
});

test("an endpoint that says it is gone is disabled, says why, and can be enabled", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  await login(reseller);
  const { href } = await newEndpoint(reseller, receiver);
  receiver.answerWith(answers.status(410));
  await reseller.newLicense();
  await expect(async () => {
    await page.goto(href);
    await expect(page.getByText("Disabled after a 410 Gone response")).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.goto("/webhooks");
  await expect(page.getByRole("table", { name: "Webhook endpoints" })).toContainText("Disabled");
  await page.goto(href);
  receiver.answerWith(answers.status(204));
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
});

test("deleting asks, and takes the endpoint and its log away", async ({
  page,
  login,
  reseller,
  receiver,
  expectNothingAt,
}) => {
  await login(reseller);
  const { href } = await newEndpoint(reseller, receiver, { description: "Old system" });
  await page.goto(href);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this endpoint?" });
  await expect(dialog.getByRole("button", { name: "Delete" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/webhooks$/);
  await expect(page.getByText("No endpoints yet")).toBeVisible();
  await expectNothingAt(href);
});

test("the chart tells how attempts went, and a table says the same", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  const { href, id } = await newEndpoint(reseller, receiver);
  await reseller.newLicense();
  await reseller.newLicense();
  await untilAttempted(id, 2);
  await page.goto(href);
  const chart = page.getByRole("region", { name: "Delivery" });
  await expect(chart).toContainText("100%");
  await chart.getByText("Show as a table").click();
  const rows = chart.getByRole("table", { name: "Attempts over time" }).getByRole("row");
  await expect(rows.nth(1).getByRole("cell").nth(1)).toHaveText(/2|1/);
  await chart.getByRole("link", { name: "30 days" }).click();
  await expect(page).toHaveURL(/range=30d$/);
  await expect(chart.getByRole("link", { name: "30 days" })).toHaveAttribute("aria-current", "true");
  await page.goto("/webhooks");
  await expect(page.getByRole("table", { name: "Webhook endpoints" })).toContainText("100%");
});

test("another reseller's endpoints and deliveries are not found", async ({
  page,
  login,
  reseller,
  newReseller,
  receiver,
  expectNothingAt,
}) => {
  const { href, id } = await newEndpoint(reseller, receiver);
  await reseller.newLicense();
  await untilAttempted(id, 1);
  const { eventId } = await getRuntime().db.prisma.webhookDelivery.findFirstOrThrow({ where: { endpointId: id } });
  await login(await newReseller());
  for (const path of [href, `${href}/edit`, `/webhooks/log/evt_${eventId}`, "/webhooks/12", "/webhooks/log/evt_1"]) {
    await expectNothingAt(path);
  }
  await page.goto(`/webhooks/log?endpoint=whe_${id}`);
  await expect(page.getByText("No delivery matches")).toBeVisible();
});
