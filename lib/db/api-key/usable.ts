import { as, boolean, bytes, int, list, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineListValues } from "#lib/db/connection/define.ts";
import type { ApiKeyId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { scopes } from "#lib/domain/scopes.ts";

const apiKeyRow = {
  id: as<ApiKeyId>(int),
  /** The first key of its rotation; itself if it replaced none. */
  firstId: as<ApiKeyId>(int),
  hint: text,
  resellerId: as<ResellerId>(int),
  /** The reseller's. */
  currency: as<Currency>(text),
  scopes: list(oneOf(scopes)),
  allowedCidrs: list(text),
  rateLimitPerMinute: int,
  expiresAt: nullable(timestamp),
  /** The one license that it is bound to; null: all of its reseller's. */
  licenseId: nullable(as<LicenseId>(int)),
  /** With a spending limit: the key that it counts for. */
  spendingKeyId: nullable(as<ApiKeyId>(int)),
  /** Sealed; null: requests under this key cannot be signed. */
  signingSecret: nullable(bytes),
  requiresSignature: boolean,
};

/** Finds a key that is not revoked, of a reseller that is not suspended; a test key ends with the live one's reseller. The caller checks its expiry. */
export const findUsableApiKey = defineFind("find_usable_api_key", apiKeyRow)<[secretHash: Buffer]>`
      select k.id, coalesce(k.first_id, k.id) as "firstId", k.hint, k.reseller_id as "resellerId", r.currency, k.scopes, k.allowed_cidrs as "allowedCidrs",
             k.rate_limit_per_minute as "rateLimitPerMinute", k.expires_at as "expiresAt", k.license_id as "licenseId",
             case when k.spending_limit is not null then coalesce(k.first_id, k.id) end as "spendingKeyId",
             k.signing_secret as "signingSecret", k.requires_signature as "requiresSignature"
        from api_keys k join resellers r on r.id = k.reseller_id left join resellers live on live.id = r.sandbox_of
       where k.secret_hash = $1 and k.revoked_at is null and r.suspended_at is null and live.suspended_at is null`;

/** Hashes of the keys that were used since, the latest first. */
export const listUsedKeyHashes = defineListValues("list_used_key_hashes", { secretHash: bytes })<
  [since: Date, limit: number]
>`
      select secret_hash as "secretHash" from api_keys
       where revoked_at is null and last_used_at > $1 order by last_used_at desc limit $2`;
