import type { CaseListRow } from "#components/reconciliation/case-table.tsx";
import { differenceText, stakeText } from "#components/reconciliation/case-text.ts";
import type { ComparisonLine } from "#components/reconciliation/comparison-status.tsx";
import { formatLicenseId } from "#lib/domain/ids.ts";
import type { CaseListItem, LastComparison } from "#lib/services/reconciliation/list-cases.ts";

export function presentCase(found: CaseListItem): CaseListRow {
  return {
    id: found.id,
    href: `/reconciliation/${found.id}`,
    kind: found.kind,
    subject: subjectOf(found),
    reference: found.licenseId === null ? "" : found.reference,
    reseller: found.resellerName ?? "",
    provider: found.provider,
    difference: differenceText(found.facts),
    stake: stakeText(found.value) ?? "",
    firstSeenAt: found.firstSeenAt.toISOString(),
    resolution: found.resolution,
    resolvedAt: found.resolvedAt?.toISOString() ?? null,
  };
}

/** "Control Panel lic_12", or the provider's name where nothing of ours has it. */
export function subjectOf({ licenseId, productName, reference }: CaseListItem): string {
  return licenseId === null ? reference : `${productName ?? "License"} ${formatLicenseId(licenseId)}`;
}

export function presentComparison(last: LastComparison): ComparisonLine {
  return {
    provider: last.provider,
    finishedAt: last.finishedAt?.toISOString() ?? null,
    heldCount: last.heldCount,
    licenseCount: last.licenseCount,
    openCaseCount: last.openCaseCount,
    failure: last.failureMessage,
  };
}
