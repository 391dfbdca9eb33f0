import { type LicenseHistoryRow, listLicenseHistory } from "#lib/db/license/history.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { getOwnLicense } from "./get.ts";

export type { HistoryOperation, LicenseHistoryRow } from "#lib/db/license/history.ts";

/**
 * A license's events and operations with their prices, newest first.
 * @throws DomainError `license_not_found`, also for another reseller's (contract 1.12).
 */
export async function getLicenseHistory(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly limit: number },
): Promise<readonly LicenseHistoryRow[]> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  return listLicenseHistory(ctx.db, resellerId, license, input.limit);
}
