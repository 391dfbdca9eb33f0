import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, int, list, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineFind, defineFindValue } from "#lib/db/connection/define.ts";
import { listing, type PageInput } from "#lib/db/connection/listing.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { type Scope, scopes } from "#lib/domain/scopes.ts";

const apiKeySummaryRow = {
  apiKeyId: as<ApiKeyId>(int),
  resellerId: as<ResellerId>(int),
  name: text,
  /** First and last characters. */
  hint: text,
  scopes: list(oneOf(scopes)),
  cidrs: list(text),
  /** The one license that it is bound to; null: all of its reseller's. */
  licenseId: nullable(as<LicenseId>(int)),
  /** Of that license, as is its server: the host name, or the address while none is known. */
  productName: nullable(text),
  server: nullable(text),
  rateLimitPerMinute: int,
  currency: as<Currency>(text),
  /** Per calendar month (UTC), in minor units; null: no limit. */
  spendingLimit: nullable(bigint),
  /** Of this month; null also without a limit. */
  spent: nullable(bigint),
  signing: oneOf(["none", "optional", "required"]),
  expiresAt: nullable(timestamp),
  revokedAt: nullable(timestamp),
  lastUsedAt: nullable(timestamp),
  lastUsedFrom: nullable(text),
  createdAt: timestamp,
  /** The key that replaced it; null: not rotated. */
  successorId: nullable(as<ApiKeyId>(int)),
};
export type ApiKeySummaryRow = RowOf<typeof apiKeySummaryRow>;

/** Whether a key works; `ended`: revoked or expired. */
export type ApiKeyState = "live" | "ended";

const summary = (now: string) => `
  select k.id as "apiKeyId", k.reseller_id as "resellerId", k.name, k.hint, k.scopes, k.allowed_cidrs as cidrs, k.license_id as "licenseId",
         p.name as "productName", coalesce(nullif(l.hostname, ''), l.ip_address) as server,
         k.rate_limit_per_minute as "rateLimitPerMinute", r.currency, k.spending_limit as "spendingLimit",
         case when k.spending_limit is not null then spent_by_key(coalesce(k.first_id, k.id), ${now}) end as spent,
         case when k.signing_secret is null then 'none' when k.requires_signature then 'required' else 'optional' end as signing,
         k.expires_at as "expiresAt", k.revoked_at as "revokedAt", k.last_used_at as "lastUsedAt", k.last_used_from as "lastUsedFrom", k.created_at as "createdAt",
         k.successor_id as "successorId"
    from api_keys k join resellers r on r.id = k.reseller_id
    left join licenses l on l.id = k.license_id and l.reseller_id = k.reseller_id left join products p on p.id = l.product_id`;

const listApiKeys = statement("list_api_keys", apiKeySummaryRow)`${summary("$4")}
      where k.reseller_id = $1 and ($2::int is null or k.id < $2)
        and ($3::text is null or ($3 = 'live') = (k.revoked_at is null and (k.expires_at is null or k.expires_at > $4)))
        and ($6::boolean is null or $6 = (k.license_id is not null))
      order by k.id desc limit $5`;

interface ApiKeySelection {
  readonly state: ApiKeyState | null;
  /** Bound to a license, or not; null: both. */
  readonly bound: boolean | null;
  readonly now: Date;
}

/** `limit` `Infinity`: all. */
export function apiKeyListing(db: Database, resellerId: ResellerId, { state, bound, now }: ApiKeySelection) {
  return listing(db, ({ before, limit }: PageInput<ApiKeyId>) => [
    listApiKeys,
    [resellerId, before, state, now, Number.isFinite(limit) ? limit : null, bound],
  ]);
}

/** `resellerId` null, here and below: any reseller. */
export const findApiKeyRow = defineFind("find_api_key", apiKeySummaryRow)<
  [resellerId: ResellerId | null, apiKeyId: ApiKeyId, now: Date]
>`
      ${summary("$3")} where k.id = $2 and ($1::int is null or k.reseller_id = $1)`;

export interface NewApiKey {
  readonly resellerId: ResellerId;
  readonly name: string;
  readonly secretHash: Uint8Array;
  /** Sealed. */
  readonly signingSecret: Uint8Array | null;
  readonly requiresSignature: boolean;
  readonly hint: string;
  readonly scopes: readonly Scope[];
  readonly cidrs: readonly string[];
  /** Null: bound to none. */
  readonly licenseId: LicenseId | null;
  readonly rateLimitPerMinute: number;
  readonly expiresAt: Date | null;
}

/** Null: no such reseller, or `liveKeysMax` live keys are bound to the same license, or to none as this one. */
export const insertApiKey = defineFindValue("insert_api_key", { id: as<ApiKeyId>(int) }).values(
  (key: NewApiKey, by: ChangedBy & { readonly liveKeysMax: number }) => [
    key.resellerId,
    key.name,
    key.secretHash,
    key.signingSecret,
    key.requiresSignature,
    key.hint,
    key.scopes,
    key.cidrs,
    key.rateLimitPerMinute,
    key.expiresAt,
    key.licenseId,
    by.liveKeysMax,
    ...changeValues(by),
  ],
)`
      with added as (
        insert into api_keys (reseller_id, name, secret_hash, signing_secret, requires_signature, hint, scopes,
                              allowed_cidrs, license_id, rate_limit_per_minute, expires_at, created_at)
        select r.id, $2, $3, $4, $5, $6, $7, $8, $11, $9, $10, $14 from resellers r
         where r.id = $1 and has_room('api_keys', $1, $12, $14, $11)
        returning *
      )
      select a.id, write_audit_entry($13, 'api_key.create', a.reseller_id, 'api_key:' || a.id, '',
               jsonb_build_object('name', a.name, 'hint', a.hint, 'scopes', a.scopes, 'cidrs', a.allowed_cidrs,
                                  'license_id', 'lic_' || a.license_id, 'rate_limit', a.rate_limit_per_minute,
                                  'expires_at', a.expires_at), $14, $15, a.name)
        from added a`;

const rotateApiKey = statement("rotate_api_key", { apiKeyId: as<ApiKeyId>(int), oldExpiresAt: timestamp })`
      with old as (
        select * from api_keys k
         where k.id = $1 and ($2::int is null or k.reseller_id = $2)
           and k.revoked_at is null and k.successor_id is null and (k.expires_at is null or k.expires_at > $9)
           and ($7 <= $9 or has_room('api_keys', k.reseller_id, $11 + 1, $9, k.license_id)) for update
      ), added as (
        insert into api_keys (reseller_id, name, secret_hash, signing_secret, requires_signature, hint, scopes,
                              allowed_cidrs, license_id, rate_limit_per_minute, spending_limit, first_id, expires_at, created_at)
        select o.reseller_id, o.name, $3, $4, o.requires_signature or $5, $6, o.scopes,
               o.allowed_cidrs, o.license_id, o.rate_limit_per_minute, o.spending_limit, coalesce(o.first_id, o.id), o.expires_at, $9 from old o
        returning id
      ), ended as (
        update api_keys k set expires_at = least(k.expires_at, $7), successor_id = a.id from old o, added a
         where k.id = o.id
        returning k.id, k.name, k.reseller_id, k.expires_at
      )
      select a.id as "apiKeyId", e.expires_at as "oldExpiresAt",
             write_audit_entry($8, 'api_key.rotate', e.reseller_id, 'api_key:' || e.id, '',
               jsonb_build_object('new_api_key_id', a.id, 'old_expires_at', e.expires_at), $9, $10, e.name)
        from added a, ended e`;

/**
 * Inserts the new key and ends the old one, atomically. Null: the old key has ended or was rotated before, or it would
 * remain valid beside `liveKeysMax` others.
 */
export async function rotateApiKeyRow(
  db: Database,
  resellerId: ResellerId | null,
  apiKeyId: ApiKeyId,
  change: {
    readonly secretHash: Uint8Array;
    readonly signingSecret: Uint8Array | null;
    readonly requiresSignature: boolean;
    readonly hint: string;
    /** The old key's end, unless it ends earlier. */
    readonly oldEndsAt: Date;
    readonly liveKeysMax: number;
    readonly by: ChangedBy;
  },
): Promise<{ readonly apiKeyId: ApiKeyId; readonly oldExpiresAt: Date } | null> {
  const [row] = await db.query(rotateApiKey, [
    apiKeyId,
    resellerId,
    change.secretHash,
    change.signingSecret,
    change.requiresSignature,
    change.hint,
    change.oldEndsAt,
    ...changeValues(change.by),
    change.liveKeysMax,
  ]);
  return row ? { apiKeyId: row.apiKeyId, oldExpiresAt: row.oldExpiresAt } : null;
}

const revokeApiKey = statement("revoke_api_key", { revokedAt: timestamp })`
      with revoked as (
        update api_keys k set revoked_at = $4
         where k.id = $1 and ($2::int is null or k.reseller_id = $2) and k.revoked_at is null returning *
      )
      select r.revoked_at as "revokedAt", write_audit_entry($3, 'api_key.revoke', r.reseller_id, 'api_key:' || r.id, '',
               jsonb_build_object('name', r.name, 'hint', r.hint), $4, $5, r.name)
        from revoked r`;

/** Returns when it was revoked, now or earlier; null: no such key. */
export async function revokeApiKeyRow(
  db: Database,
  resellerId: ResellerId | null,
  apiKeyId: ApiKeyId,
  by: ChangedBy,
): Promise<Date | null> {
  const [row] = await db.query(revokeApiKey, [apiKeyId, resellerId, ...changeValues(by)]);
  return row?.revokedAt ?? (await findApiKeyRow(db, resellerId, apiKeyId, by.now))?.revokedAt ?? null;
}
