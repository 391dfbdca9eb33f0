import type { Runtime } from "#lib/runtime.ts";
import type { AuthenticKey } from "#lib/services/api-key/keyring.ts";
import { acceptSignature } from "#lib/services/api-key/signing.ts";
import { readBody } from "./read-body.ts";

/**
 * Verifies the signature for keys with a signing secret (contract 3.14). Returns the raw body if it was read for the
 * signature.
 * @throws DomainError `api_key_invalid`, and those of `readBody`
 */
export async function checkSignature(
  runtime: Runtime,
  request: Request,
  target: string,
  key: AuthenticKey,
  now: Date,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { signing, apiKeyId } = key;
  if (signing === null) return undefined;
  const { method, headers } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await readBody(request) : new Uint8Array();
  const signed = { method, target, body };
  await acceptSignature(runtime.db, { apiKeyId, signing }, headers.get("x-signature"), signed, now);
  return hasBody ? body : undefined;
}
