import type { ClaimedDelivery } from "#lib/db/webhook/delivery.ts";
import { openSecret, type SealingKey, sealSecret } from "#lib/domain/sealed-secret.ts";
import { createWebhookSecret } from "#lib/domain/webhook-signature.ts";

/** A new secret, shown once, and its stored form, sealed for this endpoint. */
export function makeWebhookSecret(
  sealId: string,
  key: SealingKey,
  randomBytes: (count: number) => Uint8Array,
): { readonly secret: string; readonly sealed: Uint8Array } {
  const secret = createWebhookSecret(randomBytes);
  return { secret, sealed: sealSecret(secret, ownerOf(sealId), key, randomBytes) };
}

/** The secrets that currently sign, newest first. @throws UnsealingError */
export function openWebhookSecrets(delivery: ClaimedDelivery, key: SealingKey, now: Date): string[] {
  const { sealId, secret, previousSecret, previousSecretUntil } = delivery;
  const owner = ownerOf(sealId);
  const signsToo = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now;
  return [secret, ...(signsToo ? [previousSecret] : [])].map((sealed) => openSecret(sealed, owner, key));
}

function ownerOf(sealId: string): string {
  return `webhook_endpoint:${sealId}`;
}
