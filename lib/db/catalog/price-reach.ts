import { as, int, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { Currency } from "#lib/domain/money.ts";

const priceReach = {
  cycleId: int,
  currency: as<Currency>(text),
  /** Unexpired licenses and bundles of resellers without an own price. */
  renewable: int,
  /** Of these, the ones with auto-renew. */
  autoRenew: int,
  /** Unexpired licenses and bundles of resellers with an own price, unaffected by the list price. */
  ownPrice: int,
};
/** What renews at a list price of one cycle in one currency. */
export type PriceReach = RowOf<typeof priceReach>;

const renewalAtPrice = {
  kind: oneOf(["license", "bundle"]),
  id: int,
  cycleId: int,
  resellerId: int,
  resellerName: text,
  currency: as<Currency>(text),
  /** The reseller's days before the end of the term; now if that has passed. */
  renewsAt: timestamp,
};
export type RenewalAtPrice = RowOf<typeof renewalAtPrice>;

/**
 * What renews with a cycle's prices, $1: cycle ids, $2: now. A bundle also depends on the core prices of its metered
 * members' cycles of the same months (contract 3.10).
 */
const touched = `
  touched as (
    select c.id as cycle_id, 'license' as kind, l.id, l.reseller_id, l.expires_at, l.auto_renew
      from billing_cycles c
      join licenses l on l.product_id = c.product_id and l.cycle_id = c.id
                     and l.terminated_at is null and l.expires_at > $2
     where c.id = any ($1::int[])
    union all
    select c.id, 'bundle', b.id, b.reseller_id, b.expires_at, b.auto_renew
      from billing_cycles c
      join bundle_instances b on b.bundle_id = c.bundle_id and b.cycle_id = c.id
                             and b.terminated_at is null and b.expires_at > $2
     where c.id = any ($1::int[])
    union all
    select distinct c.id, 'bundle', b.id, b.reseller_id, b.expires_at, b.auto_renew
      from billing_cycles c
      join licenses l on l.product_id = c.product_id and l.cycle_id is null and l.cores > 1 and l.terminated_at is null
      join bundle_instances b on b.id = l.bundle_instance_id and b.reseller_id = l.reseller_id and b.terminated_at is null and b.expires_at > $2
      join billing_cycles own on own.id = b.cycle_id and own.months = c.months
     where c.id = any ($1::int[])
  ), buyers as (
    select t.*, r.name, r.currency, r.suspended_at, t.expires_at - make_interval(days => r.renew_ahead_days) as due_at,
           exists (select from prices p where p.cycle_id = t.cycle_id and p.reseller_id = r.id
                                          and p.currency = r.currency) as own_price
      from touched t join resellers r on r.id = t.reseller_id and r.sandbox_of is null
  )`;

export const listPriceReach = defineList("list_price_reach", priceReach)<[cycleIds: readonly number[], now: Date]>`
      with ${touched}
      select cycle_id as "cycleId", currency, count(*) filter (where not own_price)::int as renewable,
             count(*) filter (where not own_price and auto_renew)::int as "autoRenew",
             count(*) filter (where own_price)::int as "ownPrice"
        from buyers group by cycle_id, currency`;

/** The next automatic renewals at a list price of these cycles. A suspended reseller does not renew. */
export const listRenewalsAtPrice = defineList("list_renewals_at_price", renewalAtPrice)<
  [cycleIds: readonly number[], now: Date, limit: number]
>`
      with ${touched}
      select kind, id, cycle_id as "cycleId", reseller_id as "resellerId", name as "resellerName", currency,
             greatest(due_at, $2) as "renewsAt"
        from buyers where auto_renew and not own_price and suspended_at is null order by due_at, id limit $3`;
