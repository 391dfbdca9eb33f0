import type { LicenseRow } from "#lib/db/license/license.ts";
import type { AddressClaim } from "#lib/db/operation/operation.ts";
import type { LicenseAddress } from "#lib/domain/license-address.ts";

/**
 * What a license needs of an address that it comes to: nobody else's live license of the product there, for its term. A
 * license whose term is over needs the present moment: it may not come where it could not be renewed (contract 3.5).
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
