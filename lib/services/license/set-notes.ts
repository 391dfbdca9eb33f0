import { updateNotes } from "#lib/db/license/details.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile, requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { auditUpdate } from "./audit-update.ts";
import { getOwnLicense, type LicenseRow } from "./get.ts";

/**
 * Replaces the reseller's notes about a license in any state, without an event. Returns the changed license.
 * @throws DomainError `license_not_found`, `changed_meanwhile`.
 */
export async function setLicenseNotes(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly notes: string },
): Promise<LicenseRow> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const { licenseId, notes } = input;
  const license = await getOwnLicense(ctx, resellerId, licenseId);
  if (license.notes === notes) return license;
  requireSeenVersion(ctx, [license]);
  const { seenVersion = null } = ctx;
  const audit = auditUpdate(ctx, license, { resellerId, changed: ["notes"] });
  const changed = await updateNotes(writesOf(ctx), { resellerId, licenseId, notes, seenVersion }, audit);
  if (!changed) throw changedMeanwhile("This license");
  return getOwnLicense(ctx, resellerId, licenseId);
}
