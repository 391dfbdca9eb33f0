import { claimSignature } from "#lib/db/api-key/used-signature.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { createSigningSecret, type SignedRequest, verifySignature } from "#lib/domain/request-signature.ts";
import { openSecret, type SealingKey, sealSecret } from "#lib/domain/sealed-secret.ts";

/** How a key's requests are signed (contract 3.14). */
export interface KeySigning {
  /** Null if sealed under another ENCRYPTION_KEY: every signature is then invalid. */
  readonly secret: string | null;
  /** Whether an unsigned request is rejected. */
  readonly required: boolean;
}

const MS_PER_SECOND = 1000;

/** A new signing secret, shown once, and its stored form, sealed for this key. */
export function makeSigningSecret(
  secretHash: Uint8Array,
  key: SealingKey,
  randomBytes: (count: number) => Uint8Array,
): { readonly secret: string; readonly sealed: Uint8Array<ArrayBuffer> } {
  const secret = createSigningSecret(randomBytes);
  return { secret, sealed: sealSecret(secret, ownerOf(secretHash), key, randomBytes) };
}

export function openKeySigning(
  row: { readonly signingSecret: Buffer | null; readonly requiresSignature: boolean },
  secretHash: Uint8Array,
  key: SealingKey | null,
): KeySigning | null {
  const { signingSecret, requiresSignature: required } = row;
  if (signingSecret === null) return null;
  try {
    return { secret: key && openSecret(signingSecret, ownerOf(secretHash), key), required };
  } catch {
    return { secret: null, required };
  }
}

/** Accepts a valid signature once, and a missing one if none is required. @throws DomainError `api_key_invalid` */
export async function acceptSignature(
  db: Database,
  key: { readonly apiKeyId: ApiKeyId; readonly signing: KeySigning },
  header: string | null,
  request: SignedRequest,
  now: Date,
): Promise<void> {
  const { secret, required } = key.signing;
  if (header === null) {
    if (required) throw refused("Requests under this API key must be signed: send the header X-Signature.");
    return;
  }
  const verdict = secret === null ? null : verifySignature(secret, request, header, now.getTime() / MS_PER_SECOND);
  if (verdict?.kind === "outdated")
    throw refused("The time t of X-Signature is more than five minutes from the server's.");
  if (verdict?.kind !== "genuine")
    throw refused("X-Signature is wrong: it must be t=<epoch seconds>,v1=<hex HMAC-SHA256> of this very request.");
  if (!(await claimSignature(db, key.apiKeyId, verdict.signature, now)))
    throw refused(
      "This X-Signature was used before. Sign each request separately, identical ones within a second with a nonce n.",
    );
}

function refused(message: string): DomainError {
  return new DomainError("api_key_invalid", message);
}

function ownerOf(secretHash: Uint8Array): string {
  return `api_key:${Buffer.from(secretHash).toString("hex")}`;
}
