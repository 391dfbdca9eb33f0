import type { ClaimedDelivery } from "#lib/db/webhook/delivery.ts";
import { openSecret, type SealingKey, sealSecret } from "#lib/domain/sealed-secret.ts";
import { createWebhookSecret } from "#lib/domain/webhook-signature.ts";

type RandomBytes = (count: number) => Uint8Array;

/** A new secret, shown once, and its stored form, sealed for this endpoint. */
export function makeWebhookSecret(
  sealId: string,
  key: SealingKey,
  randomBytes: RandomBytes,
): { readonly secret: string; readonly sealed: Uint8Array } {
  const secret = createWebhookSecret(randomBytes);
  return { secret, sealed: sealWebhookSecret(secret, sealId, key, randomBytes) };
}

/** Seals a signing secret, a chat's URL or a bot's token for this endpoint. */
export function sealWebhookSecret(
  secret: string,
  sealId: string,
  key: SealingKey,
  randomBytes: RandomBytes,
): Uint8Array {
  return sealSecret(secret, ownerOf(sealId), key, randomBytes);
}

/** The secrets that currently sign, newest first; of a chat, its URL or token. @throws UnsealingError */
export function openWebhookSecrets(
  delivery: ClaimedDelivery,
  key: SealingKey,
  now: Date,
): readonly [string, ...string[]] {
  const { sealId, secret, previousSecret, previousSecretUntil } = delivery;
  const open = (sealed: Uint8Array) => openSecret(sealed, ownerOf(sealId), key);
  const signsToo = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  return signsToo ? [open(secret), open(previousSecret)] : [open(secret)];
}

function ownerOf(sealId: string): string {
  return `webhook_endpoint:${sealId}`;
}
