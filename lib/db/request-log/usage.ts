import { as, int, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";

const keyUsage = {
  apiKeyId: as<ApiKeyId>(int),
  name: text,
  rateLimitPerMinute: int,
  /** Start of the key's busiest minute. */
  minute: timestamp,
  /** In that minute, rejected ones included. */
  requestCount: int,
  /** Those beyond the rate limit. */
  limitedCount: int,
};
export type KeyUsage = RowOf<typeof keyUsage>;

/** Keys with requests since `since`; those nearest to their limit first. `resellerId` null: any reseller. */
export const listKeyUsageRows = defineList("list_key_usage", keyUsage).values(
  (
    resellerId: ResellerId | null,
    { apiKeyId, since }: { readonly apiKeyId: ApiKeyId | null; readonly since: Date },
  ) => [resellerId, apiKeyId, since],
)`
      select k.id as "apiKeyId", k.name, k.rate_limit_per_minute as "rateLimitPerMinute", busiest.*
        from api_keys k cross join lateral (
               select date_trunc('minute', r.started_at) as minute, sum(r.request_count)::int as "requestCount",
                      coalesce(sum(r.request_count) filter (where r.status = 429), 0)::int as "limitedCount"
                 from api_requests r where r.api_key_id = k.id and r.started_at >= $3
                group by 1 order by 2 desc, 1 desc limit 1) busiest
       where ($1::int is null or k.reseller_id = $1) and ($2::int is null or k.id = $2)
       order by busiest."requestCount"::float8 / k.rate_limit_per_minute desc, k.id desc`;
