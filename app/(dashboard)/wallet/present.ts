import { operationNames } from "#components/license/event-text.ts";
import { formatTime } from "#components/ui/format-time.ts";
import { ledgerKindNames } from "#components/wallet/ledger-kinds.ts";
import type { LedgerLine } from "#components/wallet/ledger-table.tsx";
import type { OpenOperation } from "#components/wallet/open-operations.tsx";
import type { OperationSubject } from "#components/wallet/operation-subject.tsx";
import type { RunwayView } from "#components/wallet/runway-view.ts";
import type { TopUpRequest } from "#components/wallet/top-up-request.ts";
import type { WalletFiguresProps } from "#components/wallet/wallet-figures.tsx";
import { toMajorText } from "#lib/domain/money.ts";
import type { Balance } from "#lib/services/wallet/balance.ts";
import type { LedgerListRow } from "#lib/services/wallet/list-entries.ts";
import type { OpenOperationRow } from "#lib/services/wallet/list-open-operations.ts";
import type { TopUpRequestRow } from "#lib/services/wallet/list-top-up-requests.ts";
import type { WalletRunway } from "#lib/services/wallet/runway.ts";

/** `linked`: the reader has pages of the licenses. */
export type Reader = { readonly linked: boolean };

export function presentFigures({ currency, spendable, held, posted }: Balance): WalletFiguresProps {
  return { currency, spendable: spendable.toString(), held: held.toString(), posted: posted.toString() };
}

export function presentOpenOperation(operation: OpenOperationRow, reader: Reader): OpenOperation {
  return {
    id: operation.id,
    name: operationNames[operation.kind],
    subject: subjectOf(operation, reader),
    held: operation.holdAmount.toString(),
    since: operation.createdAt.toISOString(),
  };
}

export function presentEntry(entry: LedgerListRow, reader: Reader): LedgerLine {
  return {
    id: entry.id.toString(),
    at: entry.createdAt.toISOString(),
    ...describeEntry(entry, reader),
    operationId: entry.operationId,
    refundable: entry.refundable.toString(),
    amount: entry.amount.toString(),
    balanceAfter: entry.postedAfter.toString(),
  };
}

type DescribedEntry = Pick<
  LedgerListRow,
  "kind" | "operationKind" | "licenseId" | "bundleInstanceId" | "subjectLabel" | "reference" | "note"
>;

/** An entry in words: what it is, about what, and what else is known of it. */
export function describeEntry(entry: DescribedEntry, reader: Reader) {
  return {
    what: entry.operationKind === null ? ledgerKindNames[entry.kind] : entryName(entry.kind, entry.operationKind),
    subject: subjectOf(entry, reader),
    detail: [entry.reference ?? "", entry.note].filter(Boolean).join(", "),
  };
}

/** A refund says so: what it gives back is its subject. */
function entryName(kind: LedgerListRow["kind"], operation: NonNullable<LedgerListRow["operationKind"]>): string {
  return kind === "refund" ? `Refund of ${operationNames[operation].toLowerCase()}` : operationNames[operation];
}

function subjectOf(
  {
    licenseId,
    bundleInstanceId,
    subjectLabel,
  }: Pick<DescribedEntry, "licenseId" | "bundleInstanceId" | "subjectLabel">,
  { linked }: Reader,
): OperationSubject | null {
  const about = (id: string, href: string) => ({ id, name: subjectLabel ?? id, href: linked ? href : null });
  if (licenseId !== null) return about(`lic_${licenseId}`, `/licenses/${licenseId}`);
  return bundleInstanceId === null ? null : about(`bundle ${bundleInstanceId}`, `/bundles/${bundleInstanceId}`);
}

export function presentTopUp(request: TopUpRequestRow): TopUpRequest {
  const { id, currency, method, reference, note, state, decisionNote } = request;
  return {
    id,
    currency,
    method,
    reference,
    note,
    state,
    decisionNote,
    amount: request.amount.toString(),
    createdAt: request.createdAt.toISOString(),
    decidedAt: request.decidedAt?.toISOString() ?? null,
  };
}

/** `otherHref`: where the other count is, of all or only of what renews by itself. */
export function presentRunway(runway: WalletRunway, all: boolean, otherHref: string): RunwayView {
  const { currency, coversUntil, topUpNeeded } = runway;
  const topUp = (days: number, amount: bigint) => ({
    days,
    amount: amount.toString(),
    majorText: toMajorText(amount, currency),
  });
  return {
    currency,
    all,
    otherHref,
    horizonDays: runway.horizonDays,
    computedAt: runway.computedAt?.toISOString() ?? null,
    renewalCount: runway.renewalCount,
    renewalSum: runway.renewalSum.toString(),
    coversUntil: coversUntil?.toISOString() ?? null,
    lapseCount: runway.lapseCount,
    lapses: runway.lapses.map(({ kind, id, label, dueAt, price }) => ({
      id: `${kind} ${id}`,
      label,
      href: kind === "license" ? `/licenses/${id}` : `/bundles/${id}`,
      dueAt: dueAt.toISOString(),
      price: price?.toString() ?? null,
    })),
    risen: runway.risen.map(({ kind, id, label, dueAt, price, agreedPrice, obstacle }) => ({
      id: `${kind} ${id}`,
      label,
      href: kind === "license" ? `/licenses/${id}` : `/bundles/${id}`,
      dueAt: dueAt.toISOString(),
      price: String(price ?? 0n),
      from: agreedPrice?.toString() ?? null,
      obstacle,
    })),
    risenCount: runway.risenCount,
    blockedCount: runway.blockedCount,
    days: runway.days.map(({ day, count, sum, lapseCount, labels }) => ({
      day: formatTime(day, "date", "UTC"),
      count,
      sum: sum.toString(),
      lapseCount,
      labels,
    })),
    topUps: [topUp(30, topUpNeeded.days30), topUp(60, topUpNeeded.days60), topUp(90, topUpNeeded.days90)],
  };
}
