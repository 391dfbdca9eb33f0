import type { Database } from "#lib/db/connection/client.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { Scope } from "#lib/domain/scopes.ts";

export interface ApiKeyRow {
  readonly id: ApiKeyId;
  readonly resellerId: ResellerId;
  /** The reseller's. */
  readonly currency: Currency;
  readonly scopes: readonly Scope[];
  readonly allowedCidrs: readonly string[];
  readonly rateLimitPerMinute: number;
  readonly expiresAt: Date | null;
  /** Sealed; null: its requests cannot be signed. */
  readonly signingSecret: Buffer | null;
  readonly requiresSignature: boolean;
}

/** A key that is not revoked, of a reseller that is not suspended. Expiry is the caller's to check. */
export async function findUsableApiKey(db: Database, secretHash: Buffer): Promise<ApiKeyRow | null> {
  const [row] = await db.query<ApiKeyRow>({
    name: "find_usable_api_key",
    text: `
      select k.id, k.reseller_id as "resellerId", r.currency, k.scopes, k.allowed_cidrs as "allowedCidrs",
             k.rate_limit_per_minute as "rateLimitPerMinute", k.expires_at as "expiresAt",
             k.signing_secret as "signingSecret", k.requires_signature as "requiresSignature"
        from api_keys k join resellers r on r.id = k.reseller_id
       where k.secret_hash = $1 and k.revoked_at is null and r.suspended_at is null`,
    values: [secretHash],
  });
  return row ?? null;
}
