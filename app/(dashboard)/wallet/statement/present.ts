import { describeEntry, type Reader } from "#app/(dashboard)/wallet/present.ts";
import { formatTime } from "#components/ui/format-time.ts";
import { ledgerKindNames, ledgerKinds } from "#components/wallet/ledger-kinds.ts";
import type { StatementDays } from "#components/wallet/statement-period.tsx";
import type { StatementView } from "#components/wallet/statement-sheet.tsx";
import type { ClosingBalance, StatementLine } from "#components/wallet/statement-table.tsx";
import { toDay } from "#lib/domain/times.ts";
import type { getStatement, StatementEntry } from "#lib/services/wallet/statement.ts";

type ShownStatement = Awaited<ReturnType<typeof getStatement>>;

export function presentStatement(
  { resellerName, currency, openingBalance, closingBalance, totals, entryCount, entries }: ShownStatement,
  { from, to }: StatementDays,
  { now, ...reader }: Reader & { readonly now: Date },
): StatementView {
  return {
    account: resellerName,
    currency,
    firstDay: formatTime(new Date(from), "date", "UTC"),
    lastDay: formatTime(new Date(to), "date", "UTC"),
    asOf: formatTime(now, "datetime", "UTC"),
    openingBalance: openingBalance.toString(),
    closing: presentClosing(closingBalance, to, now),
    totals: ledgerKinds.flatMap((kind) =>
      totals
        .filter((total) => total.kind === kind)
        .map(({ count, amount }) => ({ label: `${ledgerKindNames[kind]}s`, count, amount: amount.toString() })),
    ),
    entryCount,
    lines: entries?.map((entry) => presentLine(entry, reader)) ?? null,
  };
}

/** A period that has not ended closes with nothing yet. */
function presentClosing(balance: bigint, to: string, now: Date): ClosingBalance {
  const minor = balance.toString();
  const today = toDay(now);
  const day = formatTime(new Date(to < today ? to : today), "date", "UTC");
  return to < today
    ? { label: "Closing balance", detail: `After ${day}`, day, minor }
    : { label: "Balance so far", detail: `As of ${day}`, day, minor };
}

function presentLine(entry: StatementEntry, reader: Reader): StatementLine {
  return {
    id: entry.id.toString(),
    at: formatTime(entry.createdAt, "datetime", "UTC"),
    ...describeEntry(entry, reader),
    amount: entry.amount.toString(),
    balance: entry.balance.toString(),
  };
}
