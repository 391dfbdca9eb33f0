import { CHAT_ID, type ChatServer, startChats, telegramError } from "#tests/support/chats.ts";
import { test as base, expect } from "../support/dashboard.ts";
import { inspect } from "../support/looks.ts";
import { logRows } from "../support/webhooks.ts";

const test = base.extend<{ readonly chats: ChatServer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from its first parameter.
  chats: async ({}, use) => {
    const chats = await startChats();
    await use(chats);
    await chats.close();
  },
});

test("Slack gets a code, which is entered, and then events as sentences", async ({ page, login, reseller, chats }) => {
  test.slow();
  await login(reseller);
  await page.goto("/webhooks/new");
  await page.getByRole("radio", { name: /Slack/ }).check();
  await inspect(page, "webhook-new-slack");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByLabel("Webhook URL")).toHaveAccessibleDescription(/Enter the URL/);
  await page.getByLabel("Webhook URL").fill(chats.slackUrl);
  await page.getByLabel("Description").fill("Operations");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Operations" })).toBeVisible();
  await expect(page.getByText("This chat has received a code")).toBeVisible();
  await expect.poll(() => chats.code()).toMatch(/^\w{5}-\w{5}$/);
  await page.getByRole("textbox", { name: "Code" }).fill("wrong-wrong");
  await page.getByRole("button", { name: "Verify endpoint" }).click();
  await expect(page.getByRole("textbox", { name: "Code" })).toHaveAccessibleDescription(/4 tries left/);
  await inspect(page, "webhook-code");
  await page.getByRole("textbox", { name: "Code" }).fill(chats.code());
  await page.getByRole("button", { name: "Verify endpoint" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Enter the code" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Settings" })).toContainText(`${chats.url}/…`);

  await reseller.newLicense();
  await expect.poll(() => chats.messages.length).toBe(2);
  expect(chats.messages[1]).toMatch(/ is active\. http/);
  await page.goto("/webhooks/log");
  await logRows(page).filter({ hasText: "license.activated" }).getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "Message" })).toContainText(chats.messages[1] ?? "");
  await expect(page.getByRole("region", { name: "Payload" })).toHaveCount(0);
  await inspect(page, "webhook-message");
  await page.goto("/webhooks/log");
  await logRows(page).filter({ hasText: "webhook.endpoint_verification" }).getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "Message" })).toContainText("•••••-•••••");
  for (const path of ["/webhooks", "/webhooks/log", "/settings"]) {
    await page.goto(path);
    expect(await page.content()).not.toContain("4fGh81kLmn");
  }
});

test("Telegram: what is wrong with bot or chat is said, and corrected without the token", async ({
  page,
  login,
  reseller,
  chats,
}) => {
  test.slow();
  await login(reseller);
  await page.goto("/webhooks/new");
  await page.getByRole("radio", { name: /Telegram/ }).check();
  await page.getByLabel("Bot token").fill("123:abc");
  await page.getByLabel("Chat ID").fill("operations");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByLabel("Bot token")).toHaveAccessibleDescription(
    /must look like the one that @BotFather shows/,
  );
  await expect(page.getByLabel("Chat ID")).toHaveAccessibleDescription(/must be a whole number/);
  await inspect(page, "webhook-new-telegram");
  await page.getByLabel("Bot token").fill(chats.botToken);
  await page.getByLabel("Chat ID").fill("@operations");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await expect(page.getByText("The code could not be delivered")).toBeVisible();
  await expect(page.getByText("check the chat ID")).toBeVisible();
  await inspect(page, "webhook-code-failed");
  await page.getByRole("link", { name: "Edit" }).click();
  await expect(page.getByLabel("Bot token")).toHaveValue("");
  await expect(page.getByRole("radio", { name: /Slack/ })).toHaveCount(0);
  await inspect(page, "webhook-edit-telegram");
  await page.getByLabel("Chat ID").fill(CHAT_ID);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("region", { name: "Settings" })).toContainText(CHAT_ID);
  await expect.poll(() => chats.code()).toMatch(/^\w{5}-\w{5}$/);
  await page.getByRole("textbox", { name: "Code" }).fill(chats.code());
  await page.getByRole("button", { name: "Verify endpoint" }).click();
  await expect(page.getByText("Active", { exact: true })).toBeVisible();

  chats.answerWith(telegramError(403, "Forbidden: bot was kicked from the supergroup chat"));
  await page.getByRole("button", { name: "Send test event" }).click();
  const dialog = page.getByRole("dialog", { name: "Send a test event" });
  await expect(dialog).toContainText("It goes to this chat only");
  await dialog.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("The bot was removed from the chat: add it again.")).toBeVisible();
  await inspect(page, "webhook-chat-failed");
  expect(await page.content()).not.toContain(chats.botToken.split(":")[1]);
});
