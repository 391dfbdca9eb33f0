import { priceOf } from "#lib/db/catalog/cycle-price.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { as, bigint, boolean, int, list, nullable, oneOf, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import { type RowOf, statementOf } from "#lib/db/connection/statement.ts";
import { SuspendedBy } from "#lib/db/generated/enums.ts";
import { licenseFacts } from "#lib/db/license/facts.ts";
import { type LicenseFilter, matchLicenses } from "#lib/db/license/filter.ts";
import { firstMatches } from "#lib/db/license/search.ts";
import { bundleMetering, meteringJson } from "#lib/db/renewal/renewable.ts";
import type { BulkLicenseFacts } from "#lib/domain/bulk-license.ts";
import type { BundleInstanceId, LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { renewalPrice } from "#lib/domain/pricing.ts";

/** Licenses by id, or all that match a filter at the time of the query. */
export type LicenseSelection = { readonly licenseIds: readonly number[] } | { readonly filter: LicenseFilter };

export interface SelectedLicense extends BulkLicenseFacts {
  readonly id: LicenseId;
  readonly productId: number;
  readonly productName: string;
  readonly ipAddress: string;
  readonly anchoredAt: Date;
  /** Length of its billing cycle; null in a bundle. */
  readonly months: number | null;
  /** Null unless its product is metered. */
  readonly cores: number | null;
}

const selectLicenses = statementOf({
  ...licenseFacts,
  id: as<LicenseId>(int),
  productId: int,
  productName: text,
  ipAddress: text,
  anchoredAt: timestamp,
  months: nullable(int),
  bundleInstanceId: nullable(int),
  suspendedBy: nullable(oneOf(SuspendedBy)),
  busy: boolean,
  autoRenew: boolean,
  cores: nullable(int),
  basePrice: nullable(bigint),
  pricePerCore: nullable(bigint),
});

/** At most `limit` licenses by id, each with the current price of its renewal. */
export async function listSelectedLicenses(
  db: Database,
  resellerId: ResellerId,
  selection: LicenseSelection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<SelectedLicense[]> {
  const byIds = "licenseIds" in selection;
  const match = await matchLicenses(db, resellerId, byIds ? {} : selection.filter, now);
  if (byIds) match.conditions.push(`l.id = any (${match.bind(selection.licenseIds)}::int[])`);
  const first = firstMatches(match, { key: null, ascending: true, beyond: null, limit: match.bind(limit) });
  const query = `
      select l.id, l.product_id as "productId", p.name as "productName", l.ip_address as "ipAddress", c.months,
             l.anchored_at as "anchoredAt", l.expires_at as "expiresAt", l.provisioned_at as "provisionedAt", l.suspended_at as "suspendedAt",
             l.suspended_by as "suspendedBy", l.terminated_at as "terminatedAt", l.bundle_instance_id as "bundleInstanceId",
             l.open_operation_id is not null as busy, l.auto_renew as "autoRenew", l.cores,
             price.price as "basePrice", price.price_per_core as "pricePerCore"
        from (${first}) l
        join resellers r on r.id = l.reseller_id
        join products p on p.id = l.product_id
        left join billing_cycles c on c.id = l.cycle_id
        left join ${priceOf("l.cycle_id")} price on true
       order by l.id`;
  const rows = await db.query(selectLicenses(query), match.values);
  return rows.map(({ basePrice, pricePerCore, ...row }) => ({
    ...row,
    price: basePrice === null ? null : renewalPrice({ price: basePrice, pricePerCore, cores: row.cores }),
  }));
}

/** The resellers of these licenses. */
export const listOwnersOfLicenses = defineList("list_owners_of_licenses", {
  id: as<ResellerId>(int),
  name: text,
})<[licenseIds: readonly number[]]>`
      select distinct r.id, r.name from licenses l join resellers r on r.id = l.reseller_id where l.id = any ($1::int[]) order by r.id`;

export type BundleSelection = { readonly bundleInstanceIds: readonly number[] } | "all";

const selectedBundle = {
  id: as<BundleInstanceId>(int),
  name: text,
  anchoredAt: timestamp,
  expiresAt: timestamp,
  months: int,
  provisionedAt: nullable(timestamp),
  terminatedAt: nullable(timestamp),
  autoRenew: boolean,
  busy: boolean,
  /** The bundle's own price in minor units; null: its cycle has no price. */
  basePrice: nullable(bigint),
  currency: as<Currency>(text),
  /** One per member. */
  metering: list(meteringJson),
};
export type SelectedBundle = RowOf<typeof selectedBundle>;

/** At most `limit` bundle instances by id. */
export const listSelectedBundles = defineList("list_selected_bundles", selectedBundle).values(
  (resellerId: ResellerId, selection: BundleSelection, limit: number) => [
    resellerId,
    selection === "all" ? null : selection.bundleInstanceIds,
    limit,
  ],
)`
      select b.id, d.name, b.anchored_at as "anchoredAt", b.expires_at as "expiresAt", c.months, b.provisioned_at as "provisionedAt", b.terminated_at as "terminatedAt",
             b.auto_renew as "autoRenew", price.price as "basePrice", r.currency, ${bundleMetering} as metering,
             b.open_operation_id is not null
               or exists (select from licenses l where l.bundle_instance_id = b.id and l.reseller_id = $1 and l.open_operation_id is not null) as busy
        from (select * from bundle_instances
               where reseller_id = $1 and ($2::int[] is null or id = any ($2)) order by id limit $3) b
        join resellers r on r.id = b.reseller_id
        join bundles d on d.id = b.bundle_id
        join billing_cycles c on c.id = b.cycle_id
        left join ${priceOf("c.id")} price on true
       order by b.id`;
