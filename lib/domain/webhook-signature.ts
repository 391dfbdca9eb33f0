import { createHmac } from "node:crypto";
import { toTimestamp } from "./times.ts";

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 32;
const MS_PER_SECOND = 1_000;

/** `whsec_` and 32 random bytes in base64 (contract 4.2). */
export function createWebhookSecret(randomBytes: (count: number) => Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString("base64");
}

/** The payload of events.md#kinds-of-events. Identical on every attempt. */
export function formatWebhookBody(event: {
  readonly kind: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}): string {
  return JSON.stringify({ event: event.kind, timestamp: toTimestamp(event.occurredAt), data: event.data });
}

/** The headers of Standard Webhooks 1.0, with one signature per secret (contract 4.2). */
export function signWebhook(
  message: { readonly id: string; readonly sentAt: Date; readonly body: string },
  secrets: readonly string[],
): Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string> {
  const timestamp = String(Math.floor(message.sentAt.getTime() / MS_PER_SECOND));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
  });
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
