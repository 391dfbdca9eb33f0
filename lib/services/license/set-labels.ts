import { updateLabels } from "#lib/db/license/labels.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changeLabels, formatTags, type LabelChange, type Labels, MAX_TAGS } from "#lib/domain/labels.ts";
import { operationInProgress } from "#lib/domain/operation.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { auditUpdate } from "./audit-update.ts";
import { getOwnLicense, type LicenseRow } from "./get.ts";

/** A provider's answer may change the same license at the same moment. */
const ATTEMPTS = 3;

/**
 * Changes customer and tags of a license in any state, without an event, as notes (decision 71). Returns the changed
 * license.
 * @throws DomainError `license_not_found`, `changed_meanwhile`, `operation_in_progress` (others change the license at the
 *   same moment), `state_invalid` (too many tags with those it has).
 */
export async function setLicenseLabels(
  ctx: ServiceContext,
  { licenseId, change }: { readonly licenseId: number; readonly change: LabelChange },
): Promise<LicenseRow> {
  const resellerId = requireReseller(ctx, "licenses:write");
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const license = await getOwnLicense(ctx, resellerId, licenseId);
    const labels = changeLabels(license, change);
    const changed = changedFields(license, labels);
    if (changed.length === 0) return license;
    if (labels.tags.length > MAX_TAGS) throw tooManyTags(labels.tags);
    requireSeenVersion(ctx, [license]);
    const { version } = license;
    const audit = auditUpdate(ctx, license, { resellerId, changed });
    const isDone = await updateLabels(writesOf(ctx), { ...labels, resellerId, licenseId, version }, audit);
    if (isDone) return getOwnLicense(ctx, resellerId, licenseId);
  }
  throw operationInProgress();
}

function changedFields(before: Labels, after: Labels): readonly string[] {
  const fields = ["customerName", "customerEmail", "customerReference"] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return formatTags(before.tags) === formatTags(after.tags) ? changed : [...changed, "tags"];
}

function tooManyTags(tags: readonly string[]): DomainError {
  return new DomainError(
    "state_invalid",
    `A license has at most ${MAX_TAGS} tags; this one would have ${tags.length}.`,
  );
}
