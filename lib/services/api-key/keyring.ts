import { hash } from "node:crypto";
import { bulkhead, isBulkheadRejectedError } from "cockatiel";
import { LRUCache } from "lru-cache";
import { findUsableApiKey } from "#lib/db/api-key/usable.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { hashApiKey, parseApiKey } from "#lib/domain/api-key.ts";
import { anyCidrContains, type Cidr, parseCidr } from "#lib/domain/cidr.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ApiKeyId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import { type KeySigning, openKeySigning } from "./signing.ts";
import { createUsedKeys } from "./used-keys.ts";

/** Revocation takes effect everywhere within a second (contract 1.13). A look-up's result is as old as its start. */
const REMEMBER_MS = 800;
const MAX_REMEMBERED = 10_000;

/** Look-ups of tokens that were never valid: few at once, so that a flood does not occupy the database. */
const STRANGERS = { atOnce: 2, waiting: 500 };
const RETRY_AFTER_SECONDS = 1;

export interface AuthenticKey {
  readonly apiKeyId: ApiKeyId;
  /** How lists and logs name it. */
  readonly hint: string;
  readonly resellerId: ResellerId;
  /** The reseller's, which never changes (contract 3.8). */
  readonly currency: Currency;
  readonly scopes: ReadonlySet<Scope>;
  readonly cidrs: readonly Cidr[];
  readonly rateLimitPerMinute: number;
  readonly expiresAtMs: number;
  /** As of an actor, all three. */
  readonly firstKeyId: ApiKeyId;
  readonly licenseId: LicenseId | null;
  readonly spendingKeyId: ApiKeyId | null;
  /** Null: its requests are not signed (contract 3.14). */
  readonly signing: KeySigning | null;
}

export interface LookUpQuota {
  /** Its requests with one token share a look-up. */
  readonly source: string;
  /** Called before looking up a token that has not been valid yet, once for concurrent requests. */
  allowLookUp(): boolean | Promise<boolean>;
}

/** Finds the key of a token, and caches each look-up for a moment. One per process. */
export interface Keyring {
  /**
   * Returns null if the token is malformed, unknown, revoked, expired, or of a suspended reseller, or if `allowLookUp`
   * denies it and no process has seen the key in the last days.
   * @throws DomainError `unavailable`
   */
  authenticate(token: string, now: Date, quota: LookUpQuota): Promise<AuthenticKey | null>;
}

export function createKeyring(db: Database, pepper: string, sealingKey: SealingKey | null = null): Keyring {
  const valid = new LRUCache<string, AuthenticKey>({ max: MAX_REMEMBERED, ttl: REMEMBER_MS });
  // Separate from the valid ones, so that random tokens cannot evict a key.
  const invalid = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REMEMBER_MS });
  /**
   * Valid at the last look-up, at any time. These are looked up again even if their source has used up its look-ups.
   */
  const proven = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const isUsed = createUsedKeys(db);
  const running = new Map<string, Promise<AuthenticKey | null>>();
  const strangers = bulkhead(STRANGERS.atOnce, STRANGERS.waiting);

  async function find(token: string): Promise<AuthenticKey | null> {
    const secretHash = hashApiKey(token, pepper);
    const row = await findUsableApiKey(db, secretHash);
    if (!row) return null;
    return {
      apiKeyId: row.id,
      firstKeyId: row.firstId,
      hint: row.hint,
      resellerId: row.resellerId,
      currency: row.currency,
      scopes: new Set(row.scopes),
      cidrs: row.allowedCidrs.map(parseCidr).filter((cidr) => cidr !== null),
      rateLimitPerMinute: row.rateLimitPerMinute,
      expiresAtMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      licenseId: row.licenseId,
      spendingKeyId: row.spendingKeyId,
      signing: openKeySigning(row, secretHash, sealingKey),
    };
  }

  async function lookUp(fingerprint: string, token: string): Promise<AuthenticKey | null> {
    const startedAtMs = performance.now();
    const key = await (proven.has(fingerprint) ? find(token) : strangers.execute(() => find(token)).catch(refuseFlood));
    if (key === null) {
      invalid.set(fingerprint, true);
      proven.delete(fingerprint);
    } else {
      const ttl = REMEMBER_MS - (performance.now() - startedAtMs);
      if (ttl > 0) valid.set(fingerprint, key, { ttl });
      proven.set(fingerprint, true);
    }
    return key;
  }

  async function lookUpIfAllowed(
    fingerprint: string,
    token: string,
    now: Date,
    quota: LookUpQuota,
  ): Promise<AuthenticKey | null> {
    const isKnown =
      proven.has(fingerprint) || (await quota.allowLookUp()) || (await isUsed(hashApiKey(token, pepper), now));
    return isKnown ? lookUp(fingerprint, token) : null;
  }

  async function fetch(
    fingerprint: string,
    token: string,
    now: Date,
    quota: LookUpQuota,
  ): Promise<AuthenticKey | null> {
    // The checksum rejects a mistyped key without the database.
    if (invalid.has(fingerprint) || !parseApiKey(token)) return null;
    const id = `${fingerprint} ${quota.source}`;
    const joined = running.get(id);
    if (joined) return joined;
    const started = lookUpIfAllowed(fingerprint, token, now, quota).finally(() => running.delete(id));
    running.set(id, started);
    return started;
  }

  return {
    async authenticate(token, now, quota) {
      // A digest keeps keys out of memory. Keys are too random to guess, so it need not be the slower HMAC of the
      // database.
      const fingerprint = hash("sha256", token, "base64");
      const key = valid.get(fingerprint) ?? (await fetch(fingerprint, token, now, quota));
      return key && key.expiresAtMs > now.getTime() ? key : null;
    },
  };
}

function refuseFlood(error: unknown): never {
  if (!isBulkheadRejectedError(error)) throw error;
  throw new DomainError("unavailable", "Too many unknown API keys are being looked up. Try again.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}

/** An empty list allows any address. */
export function allowsSource(key: AuthenticKey, sourceAddress: string): boolean {
  return key.cidrs.length === 0 || anyCidrContains(key.cidrs, sourceAddress);
}
