import { rechecked } from "#lib/domain/access-ended.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { RateLimitDecision } from "#lib/domain/rate-limit.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import type { Runtime } from "#lib/runtime.ts";
import type { AuthenticKey } from "#lib/services/api-key/keyring.ts";

/** Requests per minute of a source address without a valid key (contract 1.5). */
export const ANONYMOUS_LIMIT = 60;

/** With what the keyring remembers, a second (contract 1.13). */
const RECHECK_MS = 200;

export interface Caller {
  /** Null without a valid key, or if its source is over the quota for look-ups. */
  readonly key: AuthenticKey | null;
  readonly limit: RateLimitDecision;
}

/**
 * Identifies the caller and counts the request against its key's limit, or without a valid key against its source's. An
 * unknown token is counted before its look-up, so a source over its quota never reaches the database (contract 1.3),
 * and uncounted if it is valid.
 */
export async function identifyCaller(
  { db, keyring, requestLimiter }: Runtime,
  token: string | null,
  sourceAddress: string,
  now: Date,
): Promise<Caller> {
  const nowMs = now.getTime();
  const source = rateLimitSource(sourceAddress);
  const countSource = () => requestLimiter.take(source, ANONYMOUS_LIMIT, nowMs);
  if (token === null) return { key: null, limit: await countSource() };

  let counted = null as RateLimitDecision | null;
  const allowLookUp = async () => {
    counted = await countSource();
    return counted.allowed;
  };
  const release = () => {
    if (counted?.allowed) requestLimiter.release(source, nowMs);
  };
  const key = await keyring.authenticate(token, now, { source, allowLookUp }).catch((error) => {
    release();
    throw error;
  });
  if (key === null) return { key, limit: counted ?? (await countSource()) };
  release();
  db.writeBehind.keyUsed(key.apiKeyId, now, sourceAddress);
  return { key, limit: await requestLimiter.take(`key:${key.apiKeyId}`, key.rateLimitPerMinute, nowMs) };
}

/**
 * Whether the key of a request under way is still valid.
 * @param checkedMs as of `rechecked`
 */
export function watchKey(
  { keyring, now }: Runtime,
  token: string | null,
  sourceAddress: string,
  checkedMs: number,
): () => Promise<boolean> {
  const quota = { source: rateLimitSource(sourceAddress), allowLookUp: () => true };
  return rechecked(
    RECHECK_MS,
    async () => token !== null && (await keyring.authenticate(token, now(), quota)) !== null,
    checkedMs,
  );
}

export function rateLimited({ limit, retryAfterSeconds }: RateLimitDecision): DomainError {
  const message = `More than ${limit} requests a minute. Try again in ${retryAfterSeconds} seconds.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds });
}
