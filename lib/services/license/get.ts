import { findLicense, findLicenseByKey, findOwner, type LicenseRow } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { requireAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { LicenseRow } from "#lib/db/license/license.ts";

/** @throws DomainError `license_not_found`, also for another reseller's (contract 1.12). */
export async function getLicense(ctx: ServiceContext, input: { licenseId: number }): Promise<LicenseRow> {
  const resellerId = requireReseller(ctx, "licenses:read");
  return getOwnLicense(ctx, resellerId, input.licenseId);
}

/** The license's reseller. @throws DomainError `license_not_found`. */
export async function getLicenseOwner(ctx: ServiceContext, input: { licenseId: LicenseId }): Promise<ResellerId> {
  requireAdmin(ctx, "admin:read");
  const owner = await findOwner(ctx.db, input.licenseId);
  if (owner === null) throw licenseNotFound("license_id");
  return owner;
}

/** @throws DomainError `license_not_found`, also for another reseller's (contract 1.12). */
export async function findLicenseId(ctx: ServiceContext, input: { licenseKey: LicenseKey }): Promise<LicenseId> {
  const resellerId = requireReseller(ctx, "licenses:write", "licenses:terminate");
  const license = await findLicenseByKey(ctx.db, resellerId, input.licenseKey);
  if (!license) throw licenseNotFound("license_key");
  return license.id;
}

/** The caller checks permissions. */
export async function getOwnLicense(
  ctx: ServiceContext,
  resellerId: ResellerId,
  licenseId: number,
): Promise<LicenseRow> {
  const license = await findLicense(ctx.db, resellerId, licenseId);
  if (!license) throw licenseNotFound("license_id");
  return license;
}

/** Same error for another reseller's license and one that does not exist (contract 1.12); repeats no input. */
export function licenseNotFound(
  ...selectors: readonly ("license_id" | "license_key" | "ip_address" | "type")[]
): DomainError {
  const details = Object.fromEntries(selectors.map((selector) => [selector, "matches none of your licenses"]));
  return new DomainError("license_not_found", "You have no such license.", { details });
}
