import { answers } from "#tests/support/receiver.ts";
import { inspect } from "../support/looks.ts";
import { expect, logRows, test } from "../support/webhooks.ts";

test("an endpoint that does not meet its challenge says why, and is verified again once it does", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  test.slow();
  receiver.meetChallenges(false);
  await login(reseller);
  await page.goto("/webhooks/new");
  await expect(page.getByText("Answer the challenge", { exact: true })).toBeVisible();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByLabel("Description").fill("Billing system");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("A challenge is on its way")).toBeVisible();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("Verification failed", { exact: true })).toHaveCount(2);
  const endpointPage = page.url();
  await expect(page.getByText("The answer is not the challenge.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send test event" })).toHaveCount(0);
  await inspect(page, "webhook-pending");
  await reseller.newLicense();
  await page.goto("/webhooks");
  await expect(page.getByRole("table", { name: "Webhook endpoints" })).toContainText(
    /Verification failed.*Not verified/,
  );
  await inspect(page, "webhooks-pending");
  await page.goto("/overview");
  await expect(page.getByRole("region", { name: "Health" })).toContainText("No events are sent until");
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention).toContainText("The webhook endpoint Billing system is not verified");
  await attention.getByRole("link", { name: "View endpoint" }).click();
  await expect(page).toHaveURL(endpointPage);

  await page.getByRole("link", { name: "View attempts" }).click();
  const challenge = logRows(page).filter({ hasText: "webhook.endpoint_verification" });
  await expect(challenge).toContainText("Pending");
  await challenge.getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "webhook.endpoint_verification" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Resend" })).toHaveCount(0);
  await inspect(page, "webhook-challenge");
  await page.goto(endpointPage);

  expect(receiver.received).toEqual([]);
  receiver.meetChallenges(true);
  await page.getByRole("button", { name: "Verify again" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect(page.getByText("Waiting for this endpoint")).toHaveCount(0);
  receiver.answerWith(answers.status(204));
  await expect.poll(() => receiver.received.map(({ body }) => JSON.parse(body).event)).toEqual(["license.activated"]);
});

test("a challenge that is under way says so, and the next one follows it", { tag: "@desktop" }, async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  test.slow();
  receiver.meetChallenges(false);
  await login(reseller);
  await page.goto("/webhooks/new");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("The answer is not the challenge.")).toBeVisible();
  receiver.answerWith(answers.never);
  await page.getByRole("button", { name: "Verify again" }).click();
  await expect(page.getByText("Challenge sent")).toBeVisible();
  await expect(page.getByText("Waiting for this endpoint to answer a challenge")).toBeVisible();
  await inspect(page, "webhook-challenged");
  receiver.meetChallenges(true);
  await page.getByRole("button", { name: "Verify again" }).click();
  // The challenge that is never answered ends first.
  await expect(page.getByText("Active", { exact: true })).toBeVisible({ timeout: 25_000 });
});

test("another URL asks for consent again, and a receiver that gives it needs no further step", async ({
  page,
  login,
  reseller,
  receiver,
}) => {
  await login(reseller);
  await page.goto("/webhooks/new");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("textbox", { name: "URL" }).fill(`${receiver.url}/second`);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("region", { name: "Settings" })).toContainText("/second");
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  expect(receiver.challenges).toHaveLength(2);
});
