import type { WebhookFormat } from "#lib/domain/webhook-format.ts";

interface FormatText {
  readonly label: string;
  readonly detail: string;
}

export const formatTexts: Readonly<Record<WebhookFormat, FormatText>> = {
  standard: { label: "Your system", detail: "Signed JSON, for programs." },
  slack: { label: "Slack", detail: "Also Mattermost, Discord and Google Chat." },
  telegram: { label: "Telegram", detail: "A group, channel or person, by a bot." },
};
