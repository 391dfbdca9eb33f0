import { createChatCode } from "#lib/domain/chat-code.ts";
import { formatChatBody } from "#lib/domain/chat-message.ts";
import { writeChatText, writeCodeText } from "#lib/domain/chat-text.ts";
import { CHALLENGE_KIND, type WebhookKind } from "#lib/domain/events.ts";
import { type EventId, formatEventId, formatWebhookEndpointId, type WebhookEndpointId } from "#lib/domain/ids.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import { sendMessageUrl, TELEGRAM_API_URL, type WebhookFormat } from "#lib/domain/webhook-format.ts";
import { formatWebhookBody, signWebhook } from "#lib/domain/webhook-signature.ts";
import { mailSettingsOf } from "#lib/services/mail/settings.ts";
import type { ServiceSettings } from "#lib/services/settings.ts";
import type { ClaimedDelivery } from "./deliver.ts";
import { openWebhookSecrets } from "./secrets.ts";

export interface WebhookMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A delivery as it is sent. @throws UnsealingError */
export function formatMessage(
  settings: ServiceSettings,
  delivery: ClaimedDelivery,
  sealing: { readonly key: SealingKey; readonly now: Date },
): WebhookMessage {
  const { format, chatId, eventId } = delivery;
  const secrets = openWebhookSecrets(delivery, sealing.key, sealing.now);
  if (format === "standard") {
    const body = formatWebhookBody(delivery);
    return {
      url: delivery.url,
      headers: signWebhook({ id: formatEventId(eventId), sentAt: sealing.now, body }, secrets),
      body,
    };
  }
  const [capability] = secrets;
  const { telegramUrl = TELEGRAM_API_URL } = settings;
  const text = writeText(settings, delivery, createChatCode(eventId, sealing.key));
  return {
    url: format === "slack" ? capability : sendMessageUrl(telegramUrl, capability),
    headers: {},
    body: formatChatBody(format, text, chatId),
  };
}

/** The text that a chat gets, without the code of a challenge; null: the endpoint gets JSON. */
export function showChatText(
  settings: ServiceSettings,
  message: ChatEvent & { readonly format: WebhookFormat },
): string | null {
  return message.format === "standard" ? null : writeText(settings, message, "•••••-•••••");
}

interface ChatEvent {
  readonly eventId: EventId;
  readonly endpointId: WebhookEndpointId;
  readonly kind: WebhookKind;
  readonly data: Readonly<Record<string, unknown>>;
  readonly productName: string | null;
  readonly testMode: boolean;
}

function writeText(settings: ServiceSettings, event: ChatEvent, code: string): string {
  const { kind, data, productName, endpointId, testMode } = event;
  const { publicUrl } = mailSettingsOf({ settings });
  if (kind === CHALLENGE_KIND)
    return writeCodeText(code, `${publicUrl}/webhooks/${formatWebhookEndpointId(endpointId)}`);
  return writeChatText({ kind, data, productName }, { publicUrl, testMode });
}
