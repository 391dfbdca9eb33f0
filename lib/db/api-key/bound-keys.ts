import { as, int, nullable, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, LicenseId, ResellerId } from "#lib/domain/ids.ts";

const boundKeyRow = { apiKeyId: as<ApiKeyId>(int), hint: text, lastUsedAt: nullable(timestamp) };
export type BoundKeyRow = RowOf<typeof boundKeyRow>;

/** Live keys bound to one of the licenses. */
export const listBoundKeyRows = defineList("list_bound_keys", boundKeyRow)<
  [resellerId: ResellerId, licenseIds: readonly LicenseId[], now: Date]
>`
      select id as "apiKeyId", hint, last_used_at as "lastUsedAt" from api_keys
       where license_id = any($2::int[]) and reseller_id = $1 and revoked_at is null and (expires_at is null or expires_at > $3)
       order by id`;
