import { findLicense, findLicenseByKey, findLicensesByAddress, type LicenseRow } from "#lib/db/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { formatLicenseId, type ResellerId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { licenseNotFound } from "./get.ts";

/** Candidates that an ambiguous address names; more would not help anybody choose. */
const MAX_CANDIDATES = 100;

export type LicenseSelector =
  | { readonly licenseKey: LicenseKey }
  | { readonly licenseId: number }
  | { readonly ipAddress: string };

/**
 * The one license that a selector names (decisions 2.1). By address, terminated licenses do not count.
 * @throws DomainError `license_not_found`, or `license_ambiguous` whose details name each candidate.
 */
export async function getLicenseStatus(ctx: ServiceContext, selector: LicenseSelector): Promise<LicenseRow> {
  const resellerId = requireReseller(ctx, "licenses:verify");
  const found = await findCandidates(ctx, resellerId, selector);
  const [license] = found;
  if (!license) throw licenseNotFound();
  if (found.length === 1) return license;
  throw new DomainError("license_ambiguous", "Several licenses are on this address: choose one by license_id.", {
    details: Object.fromEntries(found.map(({ id, productName }) => [formatLicenseId(id), productName])),
  });
}

async function findCandidates(
  ctx: ServiceContext,
  resellerId: ResellerId,
  selector: LicenseSelector,
): Promise<LicenseRow[]> {
  if ("ipAddress" in selector) return findLicensesByAddress(ctx.db, resellerId, selector.ipAddress, MAX_CANDIDATES);
  const license =
    "licenseKey" in selector
      ? await findLicenseByKey(ctx.db, resellerId, selector.licenseKey)
      : await findLicense(ctx.db, resellerId, selector.licenseId);
  return license ? [license] : [];
}
