import type { BulkLicenseFacts } from "#lib/domain/bulk-license.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { renewalPrice } from "#lib/domain/pricing.ts";
import type { Database } from "./client.ts";
import { type LicenseFilter, matchLicenses } from "./license-filter.ts";

/** Licenses by id, or all that match a filter when it is asked. */
export type LicenseSelection = { readonly licenseIds: readonly number[] } | { readonly filter: LicenseFilter };

export interface SelectedLicense extends BulkLicenseFacts {
  readonly id: LicenseId;
}

interface SelectedRow extends Omit<SelectedLicense, "price"> {
  readonly basePrice: bigint | null;
  readonly pricePerCore: bigint | null;
  readonly cores: number | null;
}

/** The reseller's licenses of a selection, by id, at most `limit`, each with what its renewal by its own cycle costs today. */
export async function listSelectedLicenses(
  db: Database,
  resellerId: ResellerId,
  selection: LicenseSelection,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<SelectedLicense[]> {
  const byIds = "licenseIds" in selection;
  const { conditions, values, bind } = await matchLicenses(db, resellerId, byIds ? {} : selection.filter, now);
  if (byIds) conditions.push(`l.id = any (${bind(selection.licenseIds)}::int[])`);
  const rows = await db.query<SelectedRow>({
    text: `
      select l.id, l.expires_at as "expiresAt", l.provisioned_at as "provisionedAt", l.suspended_at as "suspendedAt",
             l.suspended_by as "suspendedBy", l.terminated_at as "terminatedAt", l.bundle_instance_id as "bundleInstanceId",
             l.open_operation_id is not null as busy, l.auto_renew as "autoRenew", l.cores,
             price.price as "basePrice", price.price_per_core as "pricePerCore"
        from (select l.* from licenses l where ${conditions.join(" and ")} order by l.id limit ${bind(limit)}) l
        join resellers r on r.id = l.reseller_id
        left join lateral (
          select p.price, p.price_per_core from prices p
           where p.cycle_id = l.cycle_id and p.currency = r.currency and (p.reseller_id = r.id or p.reseller_id is null)
           order by p.reseller_id nulls last limit 1) price on true
       order by l.id`,
    values,
  });
  return rows.map(({ basePrice, pricePerCore, cores, ...row }) => ({
    ...row,
    price: basePrice === null ? null : renewalPrice({ price: basePrice, pricePerCore, cores }),
  }));
}
