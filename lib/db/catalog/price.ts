import { type ChangedBy, changeValues } from "#lib/db/audit/audit.ts";
import { as, boolean, int, json, jsonBigint, nullable, oneOf, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFind, defineList } from "#lib/db/connection/define.ts";
import type { RowOf } from "#lib/db/connection/statement.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { Currency } from "#lib/domain/money.ts";

export interface PricePlace {
  readonly cycleId: number;
  readonly currency: Currency;
  /** Null: the list price. */
  readonly resellerId: number | null;
}

/** The product or bundle and the cycle's name, for the audit entry. */
export interface PriceSubject {
  readonly subject: string;
  readonly label: string;
}

/** Of a row of `prices`, as `storedPrices`. */
export const pricesJson = (row: string) =>
  `jsonb_build_object('price', ${row}.price::text, 'setup_fee', ${row}.setup_fee::text, 'price_per_core', ${row}.price_per_core::text)`;

/** Of a cycle `c`, as `storedCost`; null: nothing was imported. */
export const costJson = `
  case when c.cost_currency is not null and c.cost_price is not null then
    jsonb_build_object('currency', c.cost_currency, 'price', c.cost_price::text,
      'setup_fee', coalesce(c.cost_setup_fee, 0)::text, 'price_per_core', c.cost_per_core::text) end`;

const actionOf = (verb: "set" | "remove", { resellerId }: PricePlace) =>
  resellerId === null ? `catalog.${verb}_price` : `catalog.${verb}_reseller_price`;

/**
 * Sets a price with its audit entry. False: another version exists.
 * @param seenVersion empty: there was no price; null: any version
 */
export const writePrice = defineAny("write_price").values(
  (
    place: PricePlace,
    { price, setupFee, pricePerCore }: CyclePrices,
    { subject, label }: PriceSubject,
    seenVersion: string | null,
    by: ChangedBy,
  ) => {
    const { cycleId, currency, resellerId } = place;
    const written = [cycleId, currency, resellerId, price, setupFee, pricePerCore];
    const audited = [actionOf("set", place), subject, ...changeValues(by), label];
    return [...written, ...audited, seenVersion];
  },
)`
      with before as (
        select p.*, p.xmin::text as version from prices p
         where cycle_id = $1 and currency = $2 and reseller_id is not distinct from $3::int for update
      ), written as (
        insert into prices (cycle_id, currency, reseller_id, price, setup_fee, price_per_core)
        select $1, $2, $3, $4, $5, $6 where $13::text is null or $13 = coalesce((select version from before), '')
        on conflict (cycle_id, currency, reseller_id)
        do update set price = excluded.price, setup_fee = excluded.setup_fee, price_per_core = excluded.price_per_core
         where $13::text is null or prices.xmin::text = $13
        returning *
      )
      select write_audit_entry($9, $7, $3::int, $8, '', jsonb_build_object('currency', $2::text, 'changes',
               changes_between((select ${pricesJson("before")} from before), ${pricesJson("written")})), $10, $11, $12)
        from written`;

/** False: no such price, or another version. `seenVersion` null: any version. */
export const deletePrice = defineAny("delete_price").values(
  (place: PricePlace, { subject, label }: PriceSubject, seenVersion: string | null, by: ChangedBy) => {
    const { cycleId, currency, resellerId } = place;
    const audited = [actionOf("remove", place), subject, ...changeValues(by), label];
    return [cycleId, currency, resellerId, ...audited, seenVersion];
  },
)`
      with gone as (
        delete from prices where cycle_id = $1 and currency = $2 and reseller_id is not distinct from $3::int
           and ($10::text is null or xmin::text = $10)
        returning *
      )
      select write_audit_entry($6, $4, $3::int, $5, '',
               jsonb_build_object('currency', $2::text, 'before', ${pricesJson("gone")}), $7, $8, $9)
        from gone`;

/** By the names that audit entries show. */
const pricesRow = { price: jsonBigint, setup_fee: jsonBigint, price_per_core: nullable(jsonBigint) };

const rename = <Prices extends RowOf<typeof pricesRow>>({ setup_fee, price_per_core, ...rest }: Prices) => ({
  ...rest,
  setupFee: setup_fee,
  pricePerCore: price_per_core,
});

const storedPrices = json(pricesRow).transform(rename);
/** The provider's charge at the last import. */
export const storedCost = json({ ...pricesRow, currency: as<Currency>(text) }).transform(rename);
/** Every change of a row changes its version. */
export const storedListPrice = json({ ...pricesRow, currency: text, version: text }).transform(rename);

const pricedCycle = {
  id: int,
  name: text,
  months: int,
  retired: boolean,
  /** Exactly one of these two is set. */
  productId: nullable(int),
  bundleId: nullable(int),
  ownerName: text,
  coreMetered: boolean,
  cost: nullable(storedCost),
};
/** A cycle with what its prices depend on. */
export type PricedCycle = RowOf<typeof pricedCycle>;

export const findPricedCycle = defineFind("find_priced_cycle", pricedCycle)<[id: number]>`
      select c.id, c.name, c.months, c.retired_at is not null as retired, c.product_id as "productId", c.bundle_id as "bundleId",
             coalesce(p.name, b.name) as "ownerName", coalesce(p.core_metered, false) as "coreMetered", ${costJson} as cost
        from billing_cycles c left join products p on p.id = c.product_id left join bundles b on b.id = c.bundle_id
       where c.id = $1`;

const resellerPrice = {
  cycleId: int,
  cycleName: text,
  months: int,
  kind: oneOf(["product", "bundle"]),
  ownerId: int,
  ownerName: text,
  coreMetered: boolean,
  /** The cycle, its product or its bundle is retired. */
  retired: boolean,
  list: nullable(storedPrices),
  own: nullable(storedPrices),
  /** Version of the own price; empty without one. */
  ownVersion: text,
  /** In the reseller's currency; null if the provider's differs, or nothing was imported. */
  cost: nullable(storedPrices),
  /** This reseller's licenses or bundles that renew at this price and are neither terminated nor expired. */
  live: int,
};
/** A cycle that one reseller can buy or renew with, with the list price and its own price. Minor units. */
export type ResellerPriceRow = RowOf<typeof resellerPrice>;

/** Cycles on sale or still renewed with, in the reseller's currency; by product and bundle, shortest first. */
export const listResellerPriceRows = defineList("list_reseller_prices", resellerPrice)<[resellerId: number, now: Date]>`
      with live as (
        select cycle_id, count(*)::int as count from licenses
         where reseller_id = $1 and cycle_id is not null and terminated_at is null and expires_at > $2 group by cycle_id
        union all
        select cycle_id, count(*)::int from bundle_instances
         where reseller_id = $1 and terminated_at is null and expires_at > $2 group by cycle_id
        union all
        select c.id, count(distinct i.id)::int
          from bundle_instances i
          join billing_cycles own on own.id = i.cycle_id
          join licenses l on l.bundle_instance_id = i.id and l.reseller_id = i.reseller_id and l.cores > 1 and l.terminated_at is null
          join billing_cycles c on c.product_id = l.product_id and c.months = own.months
         where i.reseller_id = $1 and i.terminated_at is null and i.expires_at > $2
         group by c.id
      )
      select * from (
        select c.id as "cycleId", c.name as "cycleName", c.months, case when p.id is null then 'bundle' else 'product' end as kind,
               coalesce(p.id, b.id) as "ownerId", coalesce(p.name, b.name) as "ownerName",
               coalesce(p.core_metered, false) as "coreMetered",
               coalesce(c.retired_at, p.retired_at, b.retired_at) is not null as retired,
               (select ${pricesJson("s")} from prices s
                 where s.cycle_id = c.id and s.currency = r.currency and s.reseller_id is null) as list,
               (select ${pricesJson("s")} from prices s
                 where s.cycle_id = c.id and s.currency = r.currency and s.reseller_id = r.id) as own,
               coalesce((select s.xmin::text from prices s
                 where s.cycle_id = c.id and s.currency = r.currency and s.reseller_id = r.id), '') as "ownVersion",
               case when c.cost_currency = r.currency then ${costJson} - 'currency' end as cost,
               coalesce(live.count, 0)::int as live
          from resellers r
          cross join billing_cycles c
          left join products p on p.id = c.product_id
          left join bundles b on b.id = c.bundle_id
          left join (select cycle_id, sum(count) as count from live group by cycle_id) live on live.cycle_id = c.id
         where r.id = $1) row
       where (not retired and (list is not null or own is not null)) or own is not null or live > 0
       order by kind desc, lower("ownerName"), "ownerId", months`;
