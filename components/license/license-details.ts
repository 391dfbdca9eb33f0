import { formatLicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus, isLive } from "#lib/domain/license-status.ts";
import type { LicenseRow } from "#lib/services/license/get.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import type { OperationRow } from "#lib/services/operation/get.ts";
import { describeOpenChange } from "./open-change.tsx";

/** One license as its page shows it, without anything about its provider. */
export type LicenseDetails = Readonly<ReturnType<typeof describeLicense>>;

export function describeLicense(
  license: LicenseRow,
  quotes: readonly RenewalQuote[],
  openOperation: OperationRow | null,
  now: Date,
) {
  const { id, key, ipAddress, hostname, cores, workers, notes, bundleInstanceId, cycleMonths } = license;
  const { issuedAt, provisionedAt, expiresAt, terminatedAt, suspendedAt, suspendedBy, suspensionReason } = license;
  const times = { issuedAt, provisionedAt, expiresAt, terminatedAt };
  const { customerName, customerEmail, customerReference, tags } = license;
  const suspension = { suspendedAt, suspendedBy, suspensionReason };
  const current = quotes.find((quote) => quote.current);
  const busy = license.openOperationId !== null;
  // Neither unconfirmed, nor ended for good, nor being changed (docs/decisions/0003).
  const movable = provisionedAt !== null && terminatedAt === null && !busy;
  return {
    ...{ key, ipAddress, hostname, cores, workers, notes, bundleInstanceId, cycleMonths, ...times, ...suspension },
    ...{ customerName, customerEmail, customerReference, tags },
    licenseId: id,
    /** `lic_12`. */
    id: formatLicenseId(id),
    product: license.productName,
    status: deriveLicenseStatus(license, now),
    /** Its term has ended, also while it is suspended. */
    ended: expiresAt <= now,
    /** An operation on it is open: another is refused until it has ended. */
    busy,
    openChange: openOperation && describeOpenChange(openOperation),
    /** Its address can be changed, and it can be suspended. */
    movable,
    /** Its cores can be changed, and it can be ended. */
    changeable: movable && isLive(license, now),
    /** For the current cycle; null if the license cannot be renewed on its own. */
    renewalPrice: current ? { minor: current.price, currency: current.currency } : null,
  };
}
