export const webhookFormats = ["standard", "slack", "telegram"] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
/** Formats that carry a sentence for people, unsigned. */
export type ChatFormat = Exclude<WebhookFormat, "standard">;

export const TELEGRAM_API_URL = "https://api.telegram.org";
const MASK = "…";

const botTokenPattern = /^(\d{5,20}):[\w-]{30,64}$/;
const chatIdPattern = /^(?:-?[1-9]\d{0,15}|@[A-Za-z]\w{4,31})$/;

export function isBotToken(text: string): boolean {
  return botTokenPattern.test(text);
}

/** A number, or a public channel's `@name`. */
export function isChatId(text: string): boolean {
  return chatIdPattern.test(text);
}

/** The format that the URL's host accepts, if it accepts only one. */
export function formatOfHost(url: string): ChatFormat | null {
  switch (new URL(url).hostname) {
    case "hooks.slack.com":
    case "hooks.slack-gov.com":
      return "slack";
    case "api.telegram.org":
      return "telegram";
    default:
      return null;
  }
}

/** Whoever has the path of a chat's URL can write there. */
export function maskChatUrl(url: string): string {
  return `${new URL(url).origin}/${MASK}`;
}

/** Names the bot, which is no secret. */
export function maskBotUrl(apiUrl: string, botToken: string): string {
  return `${apiUrl}/bot${botTokenPattern.exec(botToken)?.[1] ?? ""}:${MASK}`;
}

export function sendMessageUrl(apiUrl: string, botToken: string): string {
  return `${apiUrl}/bot${botToken}/sendMessage`;
}
