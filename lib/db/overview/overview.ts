import { boolean, int, jsonObject, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineAny, defineGet, defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import { pendingIds, renewalFailed } from "#lib/db/license/filter.ts";
import { eventKinds } from "#lib/domain/events.ts";
import type { ResellerId } from "#lib/domain/ids.ts";

const licenseCounts = {
  pending: int,
  suspended: int,
  expired: int,
  active: int,
  within7Days: int,
  within30Days: int,
  /** End within 7 days without auto-renew. */
  lapsing: int,
};
export type LicenseCounts = RowOf<typeof licenseCounts>;

/** Stops reading beyond `count`. */
export const hasMoreLicensesThan = defineAny("has_more_licenses_than")<[resellerId: ResellerId, count: number]>`
      select from licenses where reseller_id = $1 offset $2 limit 1`;

/**
 * The states of `deriveLicenseStatus`, the ends of the list's filter. Reads the reseller's whole index: see
 * keepFigures.
 */
export const countLicenses = defineGet("count_licenses", licenseCounts)<[resellerId: ResellerId, now: Date]>`
      select (select count(*)::int from (${pendingIds("$1")}) pending) as pending,
             count(*) filter (where usable and suspended_at is not null)::int as suspended,
             count(*) filter (where usable and suspended_at is null and expires_at <= $2)::int as expired,
             count(*) filter (where usable and suspended_at is null and expires_at > $2)::int as active,
             count(*) filter (where terminated_at is null and expires_at > $2
                                and expires_at <= $2::timestamptz + interval '7 days')::int as "within7Days",
             count(*) filter (where terminated_at is null and expires_at > $2
                                and expires_at <= $2::timestamptz + interval '30 days')::int as "within30Days",
             (select count(*)::int from licenses l left join bundle_instances b on b.id = l.bundle_instance_id and b.reseller_id = l.reseller_id
               where l.reseller_id = $1 and l.terminated_at is null and l.expires_at > $2
                 and l.expires_at <= $2::timestamptz + interval '7 days'
                 and not coalesce(b.auto_renew, l.auto_renew)) as lapsing
        from (select terminated_at, suspended_at, expires_at,
                     terminated_at is null and id not in (${pendingIds("$1")}) as usable
                from licenses where reseller_id = $1) l`;

const openAlerts = {
  /** Licenses whose automatic renewal failed and that have not been renewed since. */
  failedRenewals: int,
  failedRenewalId: nullable(int),
  /** Changes that have been in progress for more than 10 minutes. */
  waiting: int,
  /** Changes with an unknown outcome. */
  unknown: int,
  suspendedByAdmin: int,
  suspendedByAdminId: nullable(int),
  /** API keys that end within 14 days and were used in the last 7. */
  endingKeys: int,
  endingKeyId: nullable(int),
};
/** What needs attention, with one license as an example. */
export type OpenAlerts = RowOf<typeof openAlerts>;

export const findOpenAlerts = defineGet("find_open_alerts", openAlerts)<[resellerId: ResellerId, now: Date]>`
      with failed as (
        select l.id from licenses l where l.reseller_id = $1 and ${renewalFailed("$1", "$2")}
      ), suspended as (
        select id from licenses where reseller_id = $1 and suspended_by = 'admin' and terminated_at is null
      ), ending as (
        select id from api_keys
         where reseller_id = $1 and revoked_at is null and last_used_at > $2::timestamptz - interval '7 days'
           and expires_at > $2 and expires_at < $2::timestamptz + interval '14 days'
      ), open as (
        select state, created_at from operations where reseller_id = $1 and settled_at is null
      )
      select (select count(*)::int from failed) as "failedRenewals", (select min(id) from failed) as "failedRenewalId",
             (select count(*)::int from open
               where state <> 'unknown' and created_at < $2::timestamptz - interval '10 minutes') as waiting,
             (select count(*)::int from open where state = 'unknown') as unknown,
             (select count(*)::int from suspended) as "suspendedByAdmin",
             (select min(id) from suspended) as "suspendedByAdminId",
             (select count(*)::int from ending) as "endingKeys", (select min(id) from ending) as "endingKeyId"`;

const recentEventRow = {
  id: text,
  kind: oneOf(eventKinds),
  data: jsonObject,
  occurredAt: timestamp,
  licenseId: nullable(int),
  bundleInstanceId: nullable(int),
  server: nullable(text),
  /** The product or the bundle. */
  name: nullable(text),
};
/** `server` and `name` are null if the license or bundle no longer exists, or there is none. */
export type RecentEventRow = RowOf<typeof recentEventRow>;

/**
 * Newest first, without test events and `operation.settled`. With the limit as a value, PostgreSQL would make a new plan
 * at every call.
 */
export const listRecentEvents = defineList("list_recent_events", recentEventRow)<[resellerId: ResellerId]>`
      with recent as (
        select * from events
         where reseller_id = $1 and kind <> 'operation.settled' and test_endpoint_id is null
         order by occurred_at desc, sequence desc limit 8
      )
      select e.id, e.kind, e.data, e.occurred_at as "occurredAt", l.id as "licenseId", i.id as "bundleInstanceId",
             coalesce(nullif(l.hostname, ''), l.ip_address, i.ip_address) as server, coalesce(p.name, b.name) as name
        from recent e
        left join licenses l on l.id = e.license_id and l.reseller_id = $1
        left join products p on p.id = l.product_id
        left join bundle_instances i on i.id = e.bundle_instance_id and i.reseller_id = $1
        left join bundles b on b.id = i.bundle_id
       order by e.occurred_at desc, e.sequence desc`;

const firstSteps = {
  /** The wallet has had money. */
  topUp: boolean,
  license: boolean,
  apiKey: boolean,
  webhook: boolean,
};
/** The steps that a new reseller has completed. */
export type FirstSteps = RowOf<typeof firstSteps>;

/** Balances cannot be negative, so any entry means that the wallet has had money. */
export const findFirstSteps = defineGet("find_first_steps", firstSteps)<[resellerId: ResellerId]>`
      select exists (select from ledger_entries where reseller_id = $1) as "topUp",
             exists (select from licenses where reseller_id = $1) as license,
             exists (select from api_keys where reseller_id = $1) as "apiKey",
             exists (select from webhook_endpoints where reseller_id = $1) as webhook`;

/** The provider of each product on sale. */
export const listProductProviders = defineList("list_product_providers", {
  productName: text,
  providerName: text,
})`
      select name as "productName", provider as "providerName" from products where retired_at is null order by name`;
