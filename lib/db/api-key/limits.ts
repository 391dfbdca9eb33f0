import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { boolean } from "#lib/db/connection/columns.ts";
import { defineAny, defineGetValue } from "#lib/db/connection/define.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";

/** `limit`: minor units, or null for none. False: no such key. */
export const updateSpendingLimit = defineGetValue("set_spending_limit", { found: boolean }).values(
  (
    resellerId: ResellerId | null,
    apiKeyId: ApiKeyId,
    change: { readonly limit: bigint | null; readonly by: ChangedBy },
  ) => {
    const { actor, now, requestId } = change.by;
    return [apiKeyId, resellerId, change.limit, actor, now, requestId];
  },
)`
      select set_spending_limit($1, $2, $3, $4, $5, $6) as found`;

/** False: no such key. */
export const updateRateLimit = defineAny("set_api_key_rate_limit").values(
  (
    resellerId: ResellerId | null,
    apiKeyId: ApiKeyId,
    { requestsPerMinute, by }: { readonly requestsPerMinute: number; readonly by: ChangedBy },
  ) => [apiKeyId, resellerId, requestsPerMinute, ...changeValues(by)],
)`
      with old as (
        select k.* from api_keys k
         where k.id = $1 and ($2::int is null or k.reseller_id = $2) for no key update
      ), changed as (
        update api_keys k set rate_limit_per_minute = $3 from old where k.id = old.id
        returning k.id, k.name, k.reseller_id, old.rate_limit_per_minute as was
      )
      select write_audit_entry($4, 'api_key.set_rate_limit', c.reseller_id, 'api_key:' || c.id, '',
               jsonb_build_object('changes', jsonb_build_object('requestsPerMinute',
                 jsonb_build_object('before', c.was, 'after', $3::int))), $5, $6, c.name)
        from changed c`;
