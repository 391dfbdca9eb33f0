import { getRuntime } from "#lib/runtime.ts";
import { answers, broken, expect, logRows, newEndpoint, test, untilAttempted } from "../support/webhooks.ts";

test("an event arrives in the open log, fails while the receiver is broken, and is delivered by a resend", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  test.slow();
  await login(reseller);
  const { id } = await newEndpoint(reseller, receiver);
  await page.goto("/webhooks/log");
  await expect(page.getByText("Nothing has been sent yet")).toBeVisible();
  await expect(page.getByText("Live: new deliveries appear automatically")).toBeVisible();

  const first = await reseller.newLicense();
  const rows = logRows(page);
  await expect(rows.nth(1)).toContainText(`lic_${first.license_id}`);
  await expect(rows.nth(1)).toContainText("Delivered");
  await expect(page.getByRole("status").filter({ hasText: "1 new delivery" })).toBeAttached();

  receiver.answerWith(broken);
  const second = await reseller.newLicense();
  await expect(rows.nth(1)).toContainText(`lic_${second.license_id}`);
  await expect(rows.nth(1)).toContainText("Pending");
  await expect(rows.nth(1)).toContainText(/HTTP 503, next in \d+ min/);
  await expect(rows.nth(2)).toContainText(`lic_${first.license_id}`);

  await rows.nth(1).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/webhooks/log/evt_[0-9a-f-]{36}\\?endpoint=whe_${id}$`));
  const attempts = page.getByRole("region", { name: "Attempts" });
  await expect(attempts.getByRole("listitem")).toHaveCount(2);
  await expect(attempts.getByRole("listitem").nth(0)).toContainText(/Next attempt in \d+ min \d+ s/);
  await expect(attempts.getByRole("listitem").nth(1)).toContainText("HTTP 503");
  await attempts.getByText("Request and answer").click();
  await expect(attempts).toContainText("webhook-signature: v1,");
  await expect(page.getByRole("region", { name: "Payload" })).toContainText(`"license_id": "lic_${second.license_id}"`);

  receiver.answerWith(answers.status(200));
  await page.getByRole("button", { name: "Resend" }).click();
  await expect(attempts.getByRole("listitem")).toHaveCount(2);
  await expect(attempts.getByRole("listitem").nth(0)).toContainText("Attempt 2");
  await expect(attempts.getByRole("listitem").nth(0)).toContainText("HTTP 200");
  await expect(attempts.getByRole("listitem").nth(0)).toContainText("resent");
  await expect(page.getByRole("status").filter({ hasText: "Delivered" })).toBeVisible();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids[2], "a resend keeps the webhook-id").toBe(ids[1]);
});

test("of an attempt without an answer, only the request is shown", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  await newEndpoint(reseller, receiver);
  receiver.answerWith((response) => response.destroy());
  await reseller.newLicense();
  await page.goto("/webhooks/log");
  await logRows(page).nth(1).getByRole("link").click();
  const attempt = page.getByRole("region", { name: "Attempts" }).getByRole("listitem").last();
  await expect(attempt).toContainText("No answer");
  await attempt.getByText("Request of attempt 1", { exact: true }).click();
  await expect(attempt).toContainText("webhook-signature: v1,");
  await expect(attempt).not.toContainText("Start of the answer");
});

test("a test event can be watched, and says that it is one", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  const { href } = await newEndpoint(reseller, receiver);
  await page.goto(href);
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByLabel("Kind").selectOption("wallet.low_balance");
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("heading", { name: "wallet.low_balance" })).toBeVisible();
  await expect(page.getByText("Test event", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Attempts" })).toContainText("HTTP 204");
  await expect(page.getByRole("status").filter({ hasText: "Delivered" })).toBeVisible();
  await page.goto("/webhooks/log");
  await expect(logRows(page).nth(1)).toContainText("Test");
  expect(JSON.parse(receiver.received[0]?.body ?? "{}")).toMatchObject({ data: { test: true } });
});

test("rows do not move under the reader: new ones wait until they are asked for", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  await login(reseller);
  const { id } = await newEndpoint(reseller, receiver);
  const first = await reseller.newLicense();
  await untilAttempted(id, 1);
  await page.goto("/webhooks/log");
  const rows = logRows(page);
  await rows.nth(1).hover();
  const second = await reseller.newLicense();
  const held = page.getByRole("button", { name: "Show 1 new delivery" });
  await expect(held).toBeVisible();
  await expect(page.getByText("1 new delivery, not shown yet")).toBeAttached();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(`lic_${first.license_id}`);
  await held.click();
  await expect(rows.nth(1)).toContainText(`lic_${second.license_id}`);
  await expect(held).toHaveCount(0);
  await page.mouse.move(0, 0);
  const third = await reseller.newLicense();
  await expect(rows.nth(1)).toContainText(`lic_${third.license_id}`);
});

test("a log that nobody looks at asks for nothing; one that loses the server says so", async ({
  page,
  login,
  reseller,
  tolerate,
}) => {
  tolerate(/live.*|Failed to load resource/);
  await login(reseller);
  let asked = 0;
  await page.route("**/webhooks/log/live*", (route) => {
    asked++;
    return route.continue();
  });
  await page.goto("/webhooks/log");
  await expect.poll(() => asked).toBeGreaterThan(0);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  const before = asked;
  await page.waitForTimeout(4_500);
  expect(asked - before).toBeLessThanOrEqual(1);
  await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  await expect.poll(() => asked).toBeGreaterThan(before + 1);
  await page.unroute("**/webhooks/log/live*");
  await page.route("**/webhooks/log/live*", (route) => route.abort());
  await expect(page.getByText("Not live: the server does not answer")).toBeVisible();
});

test("filters are in the address: they can be opened anew, combined, and gone back from", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  test.slow();
  await login(reseller);
  const { id } = await newEndpoint(reseller, receiver);
  const other = await newEndpoint(reseller, receiver, { events: ["license.suspended"] });
  const license = await reseller.newLicense();
  await reseller.newLicense();
  await untilAttempted(id, 2);
  receiver.answerWith(broken);
  await reseller.dispatch.post("license.suspend", { license_id: license.license_id });
  await untilAttempted(other.id, 1);
  await untilAttempted(id, 3);

  await page.goto("/webhooks/log");
  const rows = logRows(page);
  await expect(rows).toHaveCount(5);
  await page.getByRole("combobox", { name: "Kind of event" }).selectOption("license.suspended");
  await expect(page).toHaveURL(/\?kind=license\.suspended$/);
  await expect(rows).toHaveCount(3);
  await page.getByRole("combobox", { name: "Endpoint" }).selectOption({ value: `whe_${other.id}` });
  await expect(rows).toHaveCount(2);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("combobox", { name: "Endpoint" })).toHaveValue(`whe_${other.id}`);
  await page.goBack();
  await expect(rows).toHaveCount(3);
  await page.goBack();
  await expect(rows).toHaveCount(5);

  await page.getByRole("navigation", { name: "Filter by outcome" }).getByRole("link", { name: "Delivered" }).click();
  await expect(page).toHaveURL(/outcome=succeeded$/);
  await expect(rows).toHaveCount(3);
  await page.getByRole("combobox", { name: "License" }).fill(`lic_${license.license_id}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`license=lic_${license.license_id}`));
  await expect(rows).toHaveCount(2);
  await page.getByRole("combobox", { name: "Time" }).selectOption("1h");
  await expect(page).toHaveURL(/span=1h/);
  await expect(rows).toHaveCount(2);
  await page.getByRole("combobox", { name: "Time" }).selectOption("own");
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
  await page.getByLabel("To", { exact: true }).blur();
  await expect(page).toHaveURL(/until=2020/);
  await expect(page.getByText("No delivery matches")).toBeVisible();
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(5);
  await page.goto("/webhooks/log?kind=no&endpoint=x&outcome=%00&license=zzz&span=2h&from=yesterday&until=&before=-1");
  await expect(page.getByText("No delivery matches")).toBeVisible();
});

test("pages lead to older deliveries, each once", async ({ page, login, reseller, receiver }) => {
  await login(reseller);
  const { id } = await newEndpoint(reseller, receiver);
  const events = Array.from({ length: 60 }, (_, index) => ({
    id: crypto.randomUUID(),
    resellerId: reseller.resellerId,
    kind: "wallet.topped_up",
    data: { number: index },
    occurredAt: new Date(),
  }));
  await getRuntime().db.prisma.event.createMany({ data: events });
  await untilAttempted(id, 60);
  await page.goto("/webhooks/log");
  const hrefs = () =>
    logRows(page)
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  await expect(logRows(page)).toHaveCount(51);
  await expect(page.getByText("1–50 of 60")).toBeVisible();
  const first = await hrefs();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("51–60 of 60")).toBeVisible();
  expect(new Set([...first, ...(await hrefs())]).size).toBe(60);
  await page.getByRole("link", { name: "First page" }).click();
  await expect(logRows(page)).toHaveCount(51);
});

test("everything that failed since a time is sent again, counted before", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  await login(reseller);
  const { id } = await newEndpoint(reseller, receiver);
  for (let number = 0; number < 3; number++) await reseller.newLicense();
  await untilAttempted(id, 3);
  const { prisma } = getRuntime().db;
  const [old] = await prisma.webhookDelivery.findMany({ where: { endpointId: id } });
  await prisma.webhookDelivery.updateMany({ where: { endpointId: id }, data: { state: "failed" } });
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await prisma.webhookDelivery.update({ where: { id: old?.id ?? 0n }, data: { createdAt: twoDaysAgo } });
  await page.goto("/webhooks/log");
  await page.getByRole("button", { name: "Resend failed deliveries" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toHaveText("2 deliveries failed since then.");
  await dialog.getByLabel("Since").selectOption("7d");
  await expect(dialog.getByRole("status")).toHaveText("3 deliveries failed since then.");
  await dialog.getByLabel("Since").selectOption("own");
  await expect(dialog.getByRole("button", { name: "Resend" })).toBeDisabled();
  await dialog.getByLabel("Date and time").fill("2020-01-01T00:00");
  await dialog.getByRole("button", { name: "Resend 3 deliveries" }).click();
  await expect(page.getByRole("region", { name: "Notifications" })).toContainText("3 deliveries on the way again");
  await untilAttempted(id, 6);
  await expect(logRows(page).filter({ hasText: "Delivered" })).toHaveCount(3);
});
