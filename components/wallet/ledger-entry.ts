import { operationNames } from "#components/license/event-text.ts";
import { formatBundleInstanceId, formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import type { LedgerEntryRow } from "#lib/services/wallet/list-entries.ts";
import { ledgerKindNames } from "./ledger-kinds.ts";

/** What an operation is about; of one without license and bundle, nothing. */
export interface OperationSubject {
  readonly licenseId: number | null;
  readonly bundleInstanceId: number | null;
  /** E.g. "Mail Gateway on mx1.example.com". */
  readonly subjectLabel: string | null;
}

/** "Renewal", "Refund of renewal" or "Top-up". */
export function entryName({ kind, operationKind }: Pick<LedgerEntryRow, "kind" | "operationKind">): string {
  if (operationKind === null) return ledgerKindNames[kind];
  const name = operationNames[operationKind];
  return kind === "refund" ? `Refund of ${name.toLowerCase()}` : name;
}

/** Reference and note, if any. */
export function entryDetail({ reference, note }: Pick<LedgerEntryRow, "reference" | "note">): string {
  return [reference ?? "", note].filter(Boolean).join(", ");
}

/** `id`: `lic_12`, or "bundle 3". */
export function findSubject({ licenseId, bundleInstanceId, subjectLabel }: OperationSubject) {
  if (licenseId !== null) {
    const id = formatLicenseId(licenseId as LicenseId);
    return { id, name: subjectLabel ?? id, href: `/licenses/${licenseId}` };
  }
  if (bundleInstanceId === null) return null;
  const id = formatBundleInstanceId(bundleInstanceId);
  return { id, name: subjectLabel ?? id, href: `/bundles/${bundleInstanceId}` };
}

/** "Renewal, Mail Gateway on mx1.example.com (lic_12)". */
export function entryTitle(entry: LedgerEntryRow): string {
  const subject = findSubject(entry);
  return subject === null ? entryName(entry) : `${entryName(entry)}, ${subject.name} (${subject.id})`;
}
