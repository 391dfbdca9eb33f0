import { priceOf } from "#lib/db/catalog/cycle-price.ts";
import type { Database } from "#lib/db/connection/client.ts";
import {
  as,
  bigint,
  int,
  json,
  jsonBigint,
  list,
  nullable,
  oneOf,
  text,
  timestamp,
} from "#lib/db/connection/columns.ts";
import { defineGet, defineList, defineListValues, defineRun } from "#lib/db/connection/define.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import { bundleLabel, licenseLabel } from "#lib/db/operation/subject-label.ts";
import type { CycleId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import type { RenewalCursor } from "#lib/domain/renewal.ts";
import { priceTerms, priceTermsColumns } from "./price-columns.ts";

export const meteringJson = json({ cores: nullable(int), pricePerCore: nullable(jsonBigint) });

const renewableRow = {
  ...priceTerms,
  kind: oneOf(["license", "bundle"]),
  id: int,
  /** Of its row: changes with any of these facts but the prices and the members of a bundle. */
  version: text,
  label: text,
  anchoredAt: timestamp,
  /** Including an open renewal. */
  expiresAt: timestamp,
  cycleId: as<CycleId>(int),
  months: int,
  /** Null: its cycle has no price in the reseller's currency. */
  price: nullable(bigint),
  currency: as<Currency>(text),
  /** The license's own metering, or one per member of the bundle. */
  metering: list(meteringJson),
};
/** A license or bundle that renews as one, with its current renewal price. Money in minor units of `currency`. */
export type RenewableRow = RowOf<typeof renewableRow>;

/** An open renewal already has its money held, so the next one starts from its new end. */
const endOf = (row: string) =>
  `coalesce((select (o.plan #>> '{facts,newExpiry}')::timestamptz from operations o
              where o.id = ${row}.open_operation_id and o.reseller_id = ${row}.reseller_id and o.kind in ('license_renew', 'bundle_renew')), ${row}.expires_at)`;

/** Of the members of `bundle_instances b` with the cycle `c`, of the reseller `r`. */
export const bundleMetering = `
  coalesce((select jsonb_agg(jsonb_build_object('cores', m.cores, 'pricePerCore', core.price_per_core::text))
     from licenses m
     left join billing_cycles mc on mc.product_id = m.product_id and mc.months = c.months
     left join ${priceOf("mc.id")} core on true
    where m.bundle_instance_id = b.id and m.reseller_id = b.reseller_id), '[]')`;

const renewables = `
  select 'license' as kind, l.id, l.xmin::text as version, ${licenseLabel("l", "p")} as label,
         l.anchored_at as "anchoredAt", ${endOf("l")} as "expiresAt", c.id as "cycleId", c.months, price.price, r.currency,
         jsonb_build_array(jsonb_build_object('cores', l.cores, 'pricePerCore', price.price_per_core::text)) as metering,
         ${priceTermsColumns("l")}, l.auto_renew, l.open_operation_id, r.id as reseller_id, r.renew_ahead_days, l.expires_at,
         r.suspended_at is not null as suspended
    from resellers r
    join licenses l on l.reseller_id = r.id and l.bundle_instance_id is null
                   and l.provisioned_at is not null and l.terminated_at is null
    join products p on p.id = l.product_id
    join billing_cycles c on c.id = l.cycle_id
    left join ${priceOf("c.id")} price on true
  union all
  select 'bundle', b.id, b.xmin::text, ${bundleLabel("b", "d")},
         b.anchored_at, ${endOf("b")}, c.id, c.months, price.price, r.currency,
         ${bundleMetering}, ${priceTermsColumns("b")}, b.auto_renew, b.open_operation_id, r.id, r.renew_ahead_days, b.expires_at, r.suspended_at is not null
    from resellers r
    join bundle_instances b on b.reseller_id = r.id and b.provisioned_at is not null and b.terminated_at is null
    join bundles d on d.id = b.bundle_id
    join billing_cycles c on c.id = b.cycle_id
    left join ${priceOf("c.id")} price on true`;

/** Of a license or bundle instance `t`. */
const renews =
  "t.auto_renew and t.provisioned_at is not null and t.terminated_at is null and t.open_operation_id is null";

const isDueRow = (table: string) => `
  exists (select from ${table} t
           where t.reseller_id = r.id and ${renews} and t.expires_at > $1
             and t.expires_at <= $1::timestamptz + make_interval(days => r.renew_ahead_days))`;

/** A suspended reseller does not renew. */
const isDue = `r.suspended_at is null and (${isDueRow("licenses")} or ${isDueRow("bundle_instances")})`;

const columns = `kind, id, version, label, "anchoredAt", "expiresAt", "cycleId", months, price, currency, metering,
  "agreedPrice", "announcedPrice", "announcedAt"`;

/** A reseller's unexpired renewables that end by `until`: those with auto-renew, or all. */
export const listRenewables = defineList("list_renewables", renewableRow).values(
  (resellerId: ResellerId, selection: { readonly now: Date; readonly until: Date; readonly all: boolean }) => [
    resellerId,
    selection.now,
    selection.until,
    selection.all,
  ],
)`
      select ${columns} from (${renewables}) renewable
            where reseller_id = $1 and expires_at > $2 and expires_at <= $3 and (auto_renew or $4)`;

const nextEnds = (table: string, condition: string) => `
  (select t.expires_at from ${table} t where t.reseller_id = $1 and ${renews} and ${condition} and t.expires_at > $3
    order by t.expires_at limit $4)`;

/**
 * Renewables with auto-renew, unexpired, ending within the reseller's renew-ahead days, without an open operation.
 * `from` is not before `now`: those that end at this time, and the next `limit` with all that end together with the last
 * of them.
 */
export const listDueRenewables = defineList("list_due_renewables", renewableRow).values(
  (resellerId: ResellerId, page: { readonly now: Date; readonly from: Date; readonly limit: number }) => [
    resellerId,
    page.now,
    page.from,
    page.limit,
  ],
)`
      select ${columns} from (${renewables}) renewable
       where reseller_id = $1 and not suspended and auto_renew and open_operation_id is null
         and expires_at > $2 and expires_at <= $2::timestamptz + make_interval(days => renew_ahead_days)
         and expires_at >= $3 and expires_at <= coalesce((
               select next.expires_at
                 from (${nextEnds("licenses", "t.bundle_instance_id is null")} union all ${nextEnds("bundle_instances", "true")}) next
                order by 1 offset $4 - 1 limit 1), 'infinity')`;

/** How far ahead each reseller's prices are checked. */
const SOON = "make_interval(days => r.renew_ahead_days + r.price_notice_days + 1)";
const renewsWithin = (time: string) =>
  ["licenses", "bundle_instances"]
    .map(
      (table) => `
  exists (select from ${table} t
           where t.reseller_id = r.id and t.auto_renew and t.expires_at > $1 and t.expires_at <= $1::timestamptz + ${time})`,
    )
    .join(" or ");

/** Resellers with auto-renewals to check: `priceCheckLeadDays`. */
export const listResellersWithComingRenewals = defineListValues("list_resellers_with_coming_renewals", {
  id: as<ResellerId>(int),
})<[now: Date]>`
      select r.id from resellers r
       where r.suspended_at is null and (${renewsWithin(SOON)}) order by r.id`;

/** Live resellers with auto-renewals due within so many days. */
export const listResellersWithRenewalsWithin = defineListValues("list_resellers_with_renewals_within", {
  id: as<ResellerId>(int),
})<[now: Date, days: number]>`
      select r.id from resellers r
       where r.suspended_at is null and r.sandbox_of is null and (${renewsWithin("make_interval(days => $2)")}) order by r.id`;

const renewalRules = {
  noticeDays: int,
  maxIncreasePercent: nullable(int),
  renewAheadDays: int,
};
export type RenewalRules = RowOf<typeof renewalRules>;

export const getRenewalRules = defineGet("get_renewal_rules", renewalRules)<[resellerId: ResellerId]>`
      select renew_ahead_days as "renewAheadDays", price_notice_days as "noticeDays", max_increase_percent as "maxIncreasePercent"
        from resellers where id = $1`;

/** Resellers with renewals due now. */
export const listResellersWithDueRenewals = defineListValues("list_resellers_with_due_renewals", {
  id: as<ResellerId>(int),
})<[now: Date]>`
      select r.id from resellers r where ${isDue} order by r.id`;

const wakeDueRenewalsStatement = statement("wake_due_renewals")`
      select wake_reseller('renew_reseller', r.id, $1) from resellers r where ${isDue}`;

/** Queues a run for each reseller with due renewals, unless it has one. Returns the number of resellers with any. */
export async function wakeDueRenewals(db: Database, now: Date): Promise<number> {
  const rows = await db.query(wakeDueRenewalsStatement, [now]);
  return rows.length;
}

/** Queues the rest of a reseller's run. `soFar`: results of the renewals before `after`. */
export const queueRenewals = defineRun("queue_renewals").values(
  (resellerId: ResellerId, { after, soFar }: { readonly after: RenewalCursor; readonly soFar: object }, now: Date) => {
    const payload = {
      resellerId,
      after: { ...after, dueAt: after.dueAt.toISOString(), price: after.price?.toString() ?? null },
      soFar,
    };
    return [JSON.stringify(payload), now, `renew_reseller:${resellerId}`];
  },
)`select wake_worker('renew_reseller', $1::json, $2, $3)`;
