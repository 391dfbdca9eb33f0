import { findLicense, type LicenseRow } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { LicenseRow } from "#lib/db/license/license.ts";

/** @throws DomainError `license_not_found`: also for another reseller's (contract 1.12). */
export async function getLicense(ctx: ServiceContext, input: { licenseId: number }): Promise<LicenseRow> {
  const resellerId = requireReseller(ctx, "licenses:read");
  return getOwnLicense(ctx, resellerId, input.licenseId);
}

/** For services that have checked their own permission. */
export async function getOwnLicense(
  ctx: ServiceContext,
  resellerId: ResellerId,
  licenseId: number,
): Promise<LicenseRow> {
  const license = await findLicense(ctx.db, resellerId, licenseId);
  if (!license) throw licenseNotFound("license_id");
  return license;
}

/** Another reseller's license answers as one that does not exist (contract 1.12): with nothing of what was sent. */
export function licenseNotFound(
  ...selectors: readonly ("license_id" | "license_key" | "ip_address" | "type")[]
): DomainError {
  const details = Object.fromEntries(selectors.map((selector) => [selector, "names no license of yours"]));
  return new DomainError("license_not_found", `No license of yours has this ${selectors.join(" and ")}.`, { details });
}
