import { columnsOf } from "#lib/db/connection/collected-rows.ts";
import { as, int, nullable } from "#lib/db/connection/columns.ts";
import { defineList } from "#lib/db/connection/define.ts";
import type { LicenseRow } from "#lib/db/license/license.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";

const clashingLicense = {
  id: as<LicenseId>(int),
  /** The conflicting license if it is the same reseller's; null: another reseller's, which stays hidden. */
  ownBlockerId: nullable(as<LicenseId>(int)),
};

/**
 * A reseller's licenses that cannot move to the address now, because another license of their product, of any reseller,
 * claims it before their terms end (contract 3.3). Same rule as the constraint on `address_claims`.
 */
export const listClashingLicenses = defineList("list_clashing_licenses", clashingLicense).values(
  (resellerId: ResellerId, ipAddress: Ipv4, licenses: readonly LicenseRow[], now: Date) => [
    ipAddress,
    ...columnsOf(licenses, "id", "productId", "expiresAt"),
    now,
    resellerId,
  ],
)`
      select w.id, min(own.id) as "ownBlockerId"
        from unnest($2::int[], $3::int[], $4::timestamptz[]) as w (id, product_id, expires_at)
        join address_claims c on c.sandbox_id = sandbox_of($6) and c.product_id = w.product_id and c.ip_address::inet = $1::inet and c.license_id <> w.id
         and tstzrange(c.valid_from, c.valid_until) && tstzrange($5, greatest($5, w.expires_at))
        left join licenses own on own.id = c.license_id and own.reseller_id = $6
       group by w.id`;
