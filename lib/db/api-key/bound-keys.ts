import type { Database } from "#lib/db/connection/client.ts";
import { as, int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, LicenseId, ResellerId } from "#lib/domain/ids.ts";

const boundKeyRow = { apiKeyId: as<ApiKeyId>(int), hint: text, lastUsedAt: nullable(timestamp) };
export type BoundKeyRow = RowOf<typeof boundKeyRow>;

const listBoundKeys = statement("list_bound_keys", boundKeyRow)`
      select id as "apiKeyId", hint, last_used_at as "lastUsedAt" from api_keys
       where license_id = any($2::int[]) and reseller_id = $1 and revoked_at is null and (expires_at is null or expires_at > $3)
       order by id`;

/** Live keys bound to one of the licenses. */
export async function listBoundKeyRows(
  db: Database,
  resellerId: ResellerId,
  licenseIds: readonly LicenseId[],
  now: Date,
): Promise<BoundKeyRow[]> {
  return db.query(listBoundKeys, [resellerId, licenseIds, now]);
}
