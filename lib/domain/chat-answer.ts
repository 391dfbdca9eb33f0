import type { ChatFormat } from "./webhook-format.ts";

export interface ChatAnswer {
  /** Null for a success. Never quotes the answer, which can repeat the URL, the token or the text. */
  readonly error: string | null;
  /** As `Retry-After`, in seconds; null: the answer has none. */
  readonly retryAfter: string | null;
}

const slackErrors: Readonly<Record<string, string>> = {
  action_prohibited: "The workspace does not allow this webhook to write to the channel (action_prohibited).",
  channel_is_archived: "The channel is archived (channel_is_archived).",
  channel_not_found: "The channel does not exist (channel_not_found).",
  invalid_payload: "The receiver did not accept the message (invalid_payload): check that the URL is a chat's webhook.",
  invalid_token: "The URL is not valid anymore (invalid_token): set the endpoint to a new one.",
  no_service: "The webhook was removed or disabled in the chat (no_service): set the endpoint to a new URL.",
  no_team: "The workspace does not exist (no_team).",
  rate_limited: "The chat allows no more messages now (rate_limited).",
  team_disabled: "The workspace is disabled (team_disabled).",
  user_not_found: "The recipient does not exist (user_not_found).",
};

/** By a part of Telegram's description, which is more precise than its status. */
const telegramErrors: readonly (readonly [part: string, error: string])[] = [
  ["bot was kicked", "The bot was removed from the chat: add it again."],
  ["bot was blocked", "The bot is blocked in this chat: unblock it."],
  ["bot is not a member", "The bot is not a member of the channel: add it as an administrator."],
  ["not enough rights", "The bot may not write in this chat: allow it to send messages."],
  ["need administrator rights", "The bot may not write in this channel: make it an administrator."],
  ["upgraded to a supergroup", "The group has a new chat ID since it became a supergroup: set the endpoint to it."],
  ["chat not found", "The bot does not see this chat: check the chat ID, and add the bot or send it a message first."],
  ["can't initiate conversation", "The bot may not write first: send it a message in Telegram."],
  ["user is deactivated", "The account of this chat does not exist anymore."],
];

const statusErrors: Readonly<Record<ChatFormat, Readonly<Record<number, string>>>> = {
  slack: {
    403: "The chat does not allow this webhook to write.",
    404: "There is no webhook at this URL: it was removed, or copied incompletely.",
    410: "The webhook or its channel is gone.",
  },
  telegram: {
    401: "Telegram does not accept the bot's token: it was revoked, or copied incompletely.",
    403: "The bot may not write in this chat.",
    404: "Telegram does not have a bot with this token.",
  },
};

const TOO_MANY = 429;

/** What a chat's answer means (contract 4.3). `bodyStart`: at most 2 KB. */
export function readChatAnswer(
  format: ChatFormat,
  { status, bodyStart }: { readonly status: number; readonly bodyStart: string },
): ChatAnswer {
  if (status >= 200 && status < 300) return { error: null, retryAfter: null };
  if (status >= 300 && status < 400) {
    return { error: "Redirects are not followed: set the endpoint to the final address.", retryAfter: null };
  }
  const { reason, retryAfter } = format === "slack" ? readSlack(bodyStart) : readTelegram(bodyStart);
  const known = reason ?? statusErrors[format][status] ?? null;
  const fallback = status === TOO_MANY ? "The chat allows no more messages now." : `The chat answered ${status}.`;
  return { error: known ?? fallback, retryAfter };
}

function readSlack(body: string): { readonly reason: string | null; readonly retryAfter: null } {
  const code = body.trim();
  return { reason: Object.hasOwn(slackErrors, code) ? (slackErrors[code] ?? null) : null, retryAfter: null };
}

function readTelegram(body: string): { readonly reason: string | null; readonly retryAfter: string | null } {
  const answer = parseObject(body);
  const description = typeof answer.description === "string" ? answer.description : "";
  const [, reason = null] = telegramErrors.find(([part]) => description.includes(part)) ?? [];
  const seconds = toObject(answer.parameters).retry_after;
  return { reason, retryAfter: Number.isSafeInteger(seconds) ? String(seconds) : null };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
