import type { LicenseServerCardProps } from "#components/diagnostics/license-server-card.tsx";
import type { LicenseDetails, RenewalChoice, Renewed } from "#components/license/license-details.ts";
import type { HistoryEntry } from "#components/license/license-history.tsx";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { deriveLicenseStatus, isLive } from "#lib/domain/license-status.ts";
import { isOpen } from "#lib/domain/operation.ts";
import { failedChecks } from "#lib/domain/server-checks.ts";
import type { findServerState } from "#lib/services/diagnostics/get-server.ts";
import type { LicenseRow } from "#lib/services/license/get.ts";
import type { LicenseHistoryRow } from "#lib/services/license/history.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { versionOf } from "#lib/services/operation/seen-version.ts";

/** What a form of the page was filled in by. */
export interface SeenLicense {
  readonly licenseId: LicenseId;
  readonly seenVersion: string;
}

export function presentSeen(license: LicenseRow): SeenLicense {
  return { licenseId: license.id, seenVersion: versionOf([license]) };
}

/** What a renewal has brought, of a license or a bundle. */
export function presentRenewed({ pending, newExpiry, balanceAfter, operation }: RenewedTerm): Renewed {
  return {
    pending,
    newExpiry: newExpiry.toISOString(),
    balanceAfter: balanceAfter.toString(),
    currency: operation.currency,
  };
}

interface RenewedTerm {
  readonly pending: boolean;
  readonly newExpiry: Date;
  readonly balanceAfter: bigint;
  readonly operation: { readonly currency: string };
}

export function presentDetails(license: LicenseRow, quotes: readonly RenewalQuote[], now: Date): LicenseDetails {
  const current = quotes.find((quote) => quote.current);
  return {
    licenseId: license.id,
    id: formatLicenseId(license.id),
    key: license.key,
    product: license.productName,
    status: deriveLicenseStatus(license, now),
    ipAddress: license.ipAddress,
    hostname: license.hostname,
    cores: license.cores,
    workers: license.workers,
    notes: license.notes,
    issuedAt: license.issuedAt.toISOString(),
    expiresAt: license.expiresAt.toISOString(),
    suspendedAt: license.suspendedAt?.toISOString() ?? null,
    suspendedBy: license.suspendedBy,
    suspensionReason: license.suspensionReason,
    terminatedAt: license.terminatedAt?.toISOString() ?? null,
    bundleInstanceId: license.bundleInstanceId,
    busy: license.openOperationId !== null,
    movable: isMovable(license),
    changeable: isMovable(license) && isLive(license, now),
    cycleMonths: license.cycleMonths,
    renewalPrice: current ? { minor: current.price.toString(), currency: current.currency } : null,
  };
}

export function presentQuote({ cycleId, name, price, currency, term, current }: RenewalQuote): RenewalChoice {
  return { cycleId, name, price: price.toString(), currency, newExpiry: term.expiresAt.toISOString(), current };
}

export function presentHistory(
  { at, eventKind, data, operation }: LicenseHistoryRow,
  license: LicenseRow,
): HistoryEntry {
  return {
    id: `${operation?.id ?? ""} ${eventKind ?? ""} ${at.getTime()}`,
    at: at.toISOString(),
    event: eventKind,
    data: Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, typeof value === "number" ? value : String(value ?? "")]),
    ),
    operation: operation && {
      kind: operation.kind,
      open: isOpen(operation.state),
      failure: operation.state === "rejected" ? operation.failureMessage : null,
      reconciled: operation.reconciled,
      price: operation.price,
      currency: operation.currency,
      ofBundle: license.bundleInstanceId !== null && operation.kind.startsWith("bundle_"),
    },
  };
}

export function presentServerState({
  report,
  checks,
}: NonNullable<Awaited<ReturnType<typeof findServerState>>>): LicenseServerCardProps["server"] {
  return {
    hostname: report.hostname,
    reportedAt: report.reportedAt.toISOString(),
    problems: failedChecks(checks),
  };
}

/** Neither unconfirmed, nor ended for good, nor being changed (docs/decisions/0003). */
function isMovable({ provisionedAt, terminatedAt, openOperationId }: LicenseRow): boolean {
  return provisionedAt !== null && terminatedAt === null && openOperationId === null;
}
