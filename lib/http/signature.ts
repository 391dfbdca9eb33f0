import type { Runtime } from "#lib/runtime.ts";
import type { AuthenticKey } from "#lib/services/api-key/keyring.ts";
import { acceptSignature } from "#lib/services/api-key/signing.ts";
import { readBody } from "./read-body.ts";

/** A body that was read already; undefined when nobody had to. */
export type BodyRead = Uint8Array<ArrayBuffer> | undefined;

/**
 * Checks the signature of a key that has a signing secret (contract 3.14); other keys pass at no cost. Returns the raw
 * body if the signature needed it: it is read once.
 * @throws DomainError `api_key_invalid`, and those of `readBody`
 */
export async function checkSignature(
  runtime: Runtime,
  request: Request,
  target: string,
  key: AuthenticKey,
  now: Date,
): Promise<BodyRead> {
  const { signing, apiKeyId } = key;
  if (signing === null) return undefined;
  const { method, headers } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const body = hasBody ? await readBody(request) : new Uint8Array();
  const signed = { method, target, body };
  await acceptSignature(runtime.db, { apiKeyId, signing }, headers.get("x-signature"), signed, now);
  return hasBody ? body : undefined;
}
