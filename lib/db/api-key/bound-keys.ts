import { as, int, text } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";

const earlierKeyRow = { apiKeyId: as<ApiKeyId>(int), hint: text };
export type EarlierKeyRow = RowOf<typeof earlierKeyRow>;

/** Live keys bound to one of the licenses that has a newer live one. */
export const listEarlierKeyRows = defineList("list_earlier_keys", earlierKeyRow)<
  [resellerId: ResellerId, licenseIds: readonly number[], now: Date]
>`
      select id as "apiKeyId", hint from (
        select id, hint, max(id) over (partition by license_id) as newest from api_keys
         where license_id = any($2::int[]) and reseller_id = $1 and revoked_at is null and (expires_at is null or expires_at > $3)
      ) live
       where id < newest
       order by id`;
