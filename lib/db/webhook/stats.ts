import { as, float, int, nullable, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { CHALLENGE_KIND } from "#lib/domain/events.ts";
import type { ResellerId, WebhookEndpointId } from "#lib/domain/ids.ts";

/** Challenges do not count. $1 of the statement: the reseller. */
const challengesOf = (endpoint: string) => `
             select c.id from webhook_deliveries c join events v on v.id = c.event_id
              where v.reseller_id = $1 and v.kind = '${CHALLENGE_KIND}' and c.endpoint_id = ${endpoint}`;

const endpointActivityRow = {
  endpointId: as<WebhookEndpointId>(int),
  succeeded: int,
  failed: int,
  /** Of the newest attempt; null: none yet. */
  lastAttemptAt: nullable(timestamp),
};
/** Results of an endpoint's attempts since a time. */
export type EndpointActivityRow = RowOf<typeof endpointActivityRow>;

export const listEndpointActivity = defineList("list_endpoint_activity", endpointActivityRow)<
  [resellerId: ResellerId, since: Date]
>`
      select e.id as "endpointId", a.succeeded, a.failed, l.started_at as "lastAttemptAt"
        from webhook_endpoints e
       cross join lateral (
         select count(*) filter (where t.succeeded)::int as succeeded, count(*) filter (where not t.succeeded)::int as failed
           from webhook_attempts t where t.endpoint_id = e.id and t.started_at >= $2 and t.delivery_id not in (${challengesOf("e.id")})) a
        left join lateral (
         select t.started_at from webhook_attempts t
          where t.endpoint_id = e.id and t.delivery_id not in (${challengesOf("e.id")}) order by t.started_at desc limit 1) l on true
       where e.reseller_id = $1 order by e.id`;

const statsBucketRow = {
  from: timestamp,
  succeeded: int,
  failed: int,
  /** Of successful attempts; null without any. */
  p50Ms: nullable(float),
  p95Ms: nullable(float),
};
export type StatsBucketRow = RowOf<typeof statsBucketRow>;

/** Buckets of equal length from `from` on, including empty ones. */
export const listStatsBuckets = defineList("list_webhook_stats", statsBucketRow).values(
  (
    resellerId: ResellerId,
    endpointId: number,
    span: { readonly from: Date; readonly bucketMs: number; readonly buckets: number },
  ) => [resellerId, endpointId, span.from, span.bucketMs, span.buckets],
)`
      select b.from, coalesce(s.succeeded, 0) as succeeded, coalesce(s.failed, 0) as failed, s."p50Ms", s."p95Ms"
        from (select n, $3::timestamptz + n * $4::float8 * interval '1 millisecond' as from from generate_series(0, $5::int - 1) n) b
        left join (
          select floor(extract(epoch from a.started_at - $3::timestamptz) * 1000 / $4::float8)::int as n,
                 count(*) filter (where a.succeeded)::int as succeeded, count(*) filter (where not a.succeeded)::int as failed,
                 (percentile_cont(0.5) within group (order by a.duration_ms) filter (where a.succeeded))::float8 as "p50Ms",
                 (percentile_cont(0.95) within group (order by a.duration_ms) filter (where a.succeeded))::float8 as "p95Ms"
            from webhook_attempts a join webhook_endpoints e on e.id = a.endpoint_id
           where e.reseller_id = $1 and a.endpoint_id = $2 and a.started_at >= $3
             and a.started_at < $3::timestamptz + $5::int * $4::float8 * interval '1 millisecond'
             and a.delivery_id not in (${challengesOf("$2")})
           group by 1) s on s.n = b.n
       order by b.n`;
