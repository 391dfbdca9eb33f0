import type { LicenseRow } from "#lib/db/license/license.ts";
import type { AddressClaim } from "#lib/db/operation/hold.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";

/**
 * Claims a new address for the rest of a license's term. An expired license claims the present moment, so it cannot
 * come to an address where it could not be renewed (contract 3.5).
 */
export function claimAddress(license: LicenseRow, address: LicenseAddress, now: Date): AddressClaim {
  const nextMoment = new Date(now.getTime() + 1);
  return {
    license_id: license.id,
    ip_address: address,
    valid_from: now,
    valid_until: license.expiresAt > now ? license.expiresAt : nextMoment,
  };
}
