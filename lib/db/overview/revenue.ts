import { as, bigint, int, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineGetValue, defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";

/** Minor units of `currency`: charges less refunds and credits, and what they cost. */
const earned = {
  currency: as<Currency>(text),
  revenue: bigint,
  /** As far as known. */
  cost: bigint,
  /** Charges less credits whose cost is not known. */
  uncosted: bigint,
};
const sums = `
  w.currency, sum(m.revenue)::bigint as revenue, sum(m.cost)::bigint as cost, sum(m.uncosted)::bigint as uncosted`;
const months = `
  from revenue_months m
  join resellers r on r.id = m.reseller_id
  join wallets w on w.reseller_id = m.reseller_id`;

const productRevenueRow = { month: timestamp, name: text, ...earned };
/** Of a product or bundle in a month (UTC). */
export type ProductRevenueRow = RowOf<typeof productRevenueRow>;

/** Live resellers', or one reseller's. */
export const listProductRevenue = defineList("list_product_revenue", productRevenueRow).values(
  (query: { readonly since: Date; readonly resellerId: ResellerId | null }) => [
    query.since.toISOString().slice(0, 10),
    query.resellerId,
  ],
)`
  select m.month::timestamp at time zone 'UTC' as month, coalesce(p.name, b.name, 'Other') as name, ${sums}
  ${months}
  left join products p on p.id = m.product_id
  left join bundles b on b.id = m.bundle_id
   where m.month >= $1::date and (m.reseller_id = $2 or $2::int is null and r.sandbox_of is null)
   group by 1, 2, 3 order by 1, 2, 3`;

const resellerRevenueRow = { resellerId: as<ResellerId>(int), name: text, ...earned };
export type ResellerRevenueRow = RowOf<typeof resellerRevenueRow>;

/** Of one month (UTC), the largest first. */
export const listResellerRevenue = defineList("list_reseller_revenue", resellerRevenueRow).values(
  (query: { readonly month: Date; readonly currency: Currency; readonly limit: number }) => {
    const { month, currency, limit } = query;
    return [month.toISOString().slice(0, 10), currency, limit];
  },
)`
  select r.id as "resellerId", r.name, ${sums}
  ${months}
   where m.month = $1::date and w.currency = $2 and r.sandbox_of is null
   group by 1, 2, 3 order by sum(m.revenue) desc, 1 limit $3`;

const resellerFiguresRow = { resellerId: as<ResellerId>(int), licenses: int, revenue: bigint };

/** Of a few resellers: licenses that are not terminated, counted up to `atMost`, and the month's revenue. */
export const listResellerFigures = defineList("list_reseller_figures", resellerFiguresRow).values(
  (query: { readonly ids: readonly ResellerId[]; readonly month: Date; readonly atMost: number }) => [
    query.ids,
    query.atMost,
    query.month.toISOString().slice(0, 10),
  ],
)`
  select r.id as "resellerId",
         (select count(*)::int from (select from licenses l where l.reseller_id = r.id and l.terminated_at is null limit $2) l) as licenses,
         (select coalesce(sum(m.revenue), 0)::bigint from revenue_months m where m.reseller_id = r.id and m.month = $3::date) as revenue
    from unnest($1::int[]) as r (id)`;

const failingEndpointRow = {
  endpointId: int,
  resellerId: as<ResellerId>(int),
  resellerName: text,
  url: text,
};
export type FailingEndpointRow = RowOf<typeof failingEndpointRow>;

/** Live resellers' endpoints that are disabled, or have only failed since before `before`. */
export const listFailingEndpoints = defineList("list_failing_endpoints", failingEndpointRow).values(
  (query: { readonly before: Date; readonly limit: number }) => [query.before, query.limit],
)`
  select e.id as "endpointId", r.id as "resellerId", r.name as "resellerName", e.url
    from webhook_endpoints e join resellers r on r.id = e.reseller_id and r.sandbox_of is null
   where e.paused_at is null and (e.disabled_at is not null or e.first_failed_at < $1)
   order by coalesce(e.disabled_at, e.first_failed_at) limit $2`;

/** Below the threshold that the reseller set. */
export const countLowWallets = defineGetValue("count_low_wallets", { count: int })`
  select count(*)::int as count from wallets w join resellers r on r.id = w.reseller_id
   where r.sandbox_of is null and w.posted - w.held < w.low_balance_threshold`;
