import type { ParameterProblem } from "#lib/domain/errors.ts";
import { PUBLIC_TARGETS } from "#lib/domain/public-address.ts";
import {
  formatOfHost,
  isBotToken,
  isChatId,
  maskBotUrl,
  maskChatUrl,
  TELEGRAM_API_URL,
  type WebhookFormat,
} from "#lib/domain/webhook-format.ts";
import { parseWebhookUrl } from "#lib/domain/webhook-url.ts";
import type { ServiceSettings } from "#lib/services/settings.ts";

/** Absent fields are not checked. */
export interface DestinationFields {
  /** Not with `telegram`. */
  readonly url?: string | undefined;
  /** With `telegram`. */
  readonly botToken?: string | undefined;
  /** With `telegram`. */
  readonly chatId?: string | undefined;
}

export interface Destination {
  /** As stored and shown. */
  readonly url: string | undefined;
  readonly chatId: string | undefined;
  /** A chat's URL or a bot's token, to be sealed. */
  readonly capability: string | undefined;
}

export type DestinationSettings = Pick<ServiceSettings, "webhookTargets" | "telegramUrl">;
type Complain = (field: string, message: string, kind?: ParameterProblem["kind"]) => void;

const fieldNames = { url: "url", botToken: "bot_token", chatId: "chat_id" } as const;
type Field = keyof typeof fieldNames;
const fieldsOf: Readonly<Record<WebhookFormat, readonly Field[]>> = {
  standard: ["url"],
  slack: ["url"],
  telegram: ["botToken", "chatId"],
};

/** The format of the endpoints that these fields fit. */
export function formatOfFields({ url, botToken, chatId }: DestinationFields): WebhookFormat {
  if (botToken !== undefined || chatId !== undefined) return "telegram";
  return (url !== undefined && URL.canParse(url) && formatOfHost(url)) || "standard";
}

/** Reports the fields that a new endpoint of this format lacks. */
export function requireDestination(fields: DestinationFields, format: WebhookFormat, complain: Complain): void {
  for (const field of fieldsOf[format]) {
    if (fields[field] === undefined) complain(fieldNames[field], "is required", "missing");
  }
}

export function parseDestination(
  fields: DestinationFields,
  format: WebhookFormat,
  settings: DestinationSettings,
  complain: Complain,
): Destination {
  for (const field of Object.keys(fieldNames) as Field[]) {
    if (fields[field] !== undefined && !fieldsOf[format].includes(field)) {
      complain(fieldNames[field], `must be absent with the format ${format}`);
    }
  }
  return format === "telegram"
    ? parseBot(fields, settings, complain)
    : parseUrl(fields.url, format, settings, complain);
}

function parseUrl(
  text: string | undefined,
  format: "standard" | "slack",
  { webhookTargets = PUBLIC_TARGETS }: DestinationSettings,
  complain: Complain,
): Destination {
  const none = { url: undefined, chatId: undefined, capability: undefined };
  if (text === undefined) return none;
  const parsed = parseWebhookUrl(text, webhookTargets);
  if ("problem" in parsed) {
    complain("url", parsed.problem);
    return none;
  }
  const { url } = parsed;
  const needed = formatOfHost(url);
  if (needed !== null && needed !== format) complain("url", `belongs to an endpoint of the format ${needed}`);
  return format === "standard" ? { ...none, url } : { ...none, url: maskChatUrl(url), capability: url };
}

function parseBot(
  { botToken, chatId }: DestinationFields,
  { telegramUrl = TELEGRAM_API_URL }: DestinationSettings,
  complain: Complain,
): Destination {
  if (botToken !== undefined && !isBotToken(botToken)) {
    complain("bot_token", "must look like the one that @BotFather shows, such as 123456789:AAHx7");
  }
  if (chatId !== undefined && !isChatId(chatId)) {
    complain("chat_id", "must be a whole number, or @ and a public channel's name");
  }
  return { url: botToken && maskBotUrl(telegramUrl, botToken), chatId, capability: botToken };
}
