import { findLicense, type LicenseRow } from "#lib/db/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { LicenseRow } from "#lib/db/license.ts";

/** @throws DomainError `license_not_found`: also for another reseller's (decisions 1.12). */
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
  if (!license) throw licenseNotFound();
  return license;
}

export function licenseNotFound(): DomainError {
  return new DomainError("license_not_found", "There is no such license.");
}
