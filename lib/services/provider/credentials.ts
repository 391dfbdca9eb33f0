import { z } from "zod";
import { DomainError } from "#lib/domain/errors.ts";
import { openSecret, type SealingKey, sealSecret } from "#lib/domain/sealed-secret.ts";

/** Credentials of our account at a provider. */
export interface ProviderCredentials {
  readonly apiKey: string;
  readonly signingSecret: string | null;
}

/** An operator has to set the key first. */
const OPERATOR_SECONDS = 3_600;

const stored = z.object({ apiKey: z.string(), signingSecret: z.string().nullable() });

/** Sealed for this provider only. */
export function sealCredentials(
  credentials: ProviderCredentials,
  provider: string,
  key: SealingKey,
  randomBytes: (count: number) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  return sealSecret(JSON.stringify(credentials), ownerOf(provider), key, randomBytes);
}

/** @throws UnsealingError */
export function openCredentials(sealed: Uint8Array, provider: string, key: SealingKey): ProviderCredentials {
  return stored.parse(JSON.parse(openSecret(sealed, ownerOf(provider), key)));
}

/** @throws DomainError `unavailable` without ENCRYPTION_KEY */
export function requireSealingKey(key: SealingKey | null | undefined): SealingKey {
  if (key) return key;
  throw new DomainError("unavailable", "ENCRYPTION_KEY is not set: secrets can be neither stored nor used.", {
    retryAfterSeconds: OPERATOR_SECONDS,
  });
}

function ownerOf(provider: string): string {
  return `provider:${provider}`;
}
