import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { findUsableApiKey } from "#lib/db/api-key.ts";
import type { Database } from "#lib/db/client.ts";
import { hashApiKey, parseApiKey } from "#lib/domain/api-key.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import { anyCidrContains, type Cidr, parseCidr } from "#lib/domain/ipv4.ts";
import type { Scope } from "#lib/domain/scopes.ts";
import type { SealingKey } from "#lib/domain/sealed-secret.ts";
import { type KeySigning, openKeySigning } from "./signing.ts";

/** Revocation must be in effect everywhere within 5 seconds (decisions 1.13); a look-up takes some of them. */
const REMEMBER_MS = 4_000;
const MAX_REMEMBERED = 10_000;

export interface AuthenticKey {
  readonly apiKeyId: ApiKeyId;
  readonly resellerId: ResellerId;
  readonly scopes: ReadonlySet<Scope>;
  readonly cidrs: readonly Cidr[];
  readonly rateLimitPerMinute: number;
  readonly expiresAtMs: number;
  /** Null: its requests are not signed (decisions 3.14). */
  readonly signing: KeySigning | null;
}

/** Tells which key a caller holds. One a process: it remembers what it has looked up for a few seconds. */
export interface Keyring {
  /** Null: malformed, unknown, revoked, expired, or of a suspended reseller. */
  authenticate(token: string, now: Date): Promise<AuthenticKey | null>;
}

export function createKeyring(db: Database, pepper: string, sealingKey: SealingKey | null = null): Keyring {
  const remembered = new LRUCache<string, AuthenticKey, string>({
    max: MAX_REMEMBERED,
    ttl: REMEMBER_MS,
    fetchMethod: async (_fingerprint, _stale, { context: token }) => {
      const secretHash = hashApiKey(token, pepper);
      const row = await findUsableApiKey(db, secretHash);
      if (!row) return undefined;
      return {
        apiKeyId: row.id,
        resellerId: row.resellerId,
        scopes: new Set(row.scopes),
        cidrs: row.allowedCidrs.map(parseCidr).filter((cidr) => cidr !== null),
        rateLimitPerMinute: row.rateLimitPerMinute,
        expiresAtMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
        signing: openKeySigning(row, secretHash, sealingKey),
      };
    },
  });
  return {
    async authenticate(token, now) {
      // A mistyped key is refused without the database: its checksum is wrong.
      if (!parseApiKey(token)) return null;
      // What is remembered lies under a digest, so that no key stays in memory. A plain one: the HMAC that the database
      // knows would cost each request 3 µs more, and a key is too random to be guessed from either.
      const fingerprint = hash("sha256", token, "base64");
      const key = remembered.get(fingerprint) ?? (await remembered.fetch(fingerprint, { context: token }));
      if (!key || key.expiresAtMs <= now.getTime()) return null;
      db.writeBehind.keyUsed(key.apiKeyId, now);
      return key;
    },
  };
}

/** Whether a key may be used from an address: an empty list allows any. */
export function allowsSource(key: AuthenticKey, sourceAddress: string): boolean {
  return key.cidrs.length === 0 || anyCidrContains(key.cidrs, sourceAddress);
}
