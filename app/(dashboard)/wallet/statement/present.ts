import { describeEntry, type Reader } from "#app/(dashboard)/wallet/present.ts";
import { formatTime } from "#components/ui/format-time.ts";
import { ledgerKindNames, ledgerKinds } from "#components/wallet/ledger-kinds.ts";
import type { StatementDays } from "#components/wallet/statement-period.tsx";
import type { StatementView } from "#components/wallet/statement-sheet.tsx";
import type { StatementLine } from "#components/wallet/statement-table.tsx";
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
    closingBalance: closingBalance.toString(),
    totals: ledgerKinds.flatMap((kind) =>
      totals
        .filter((total) => total.kind === kind)
        .map(({ count, amount }) => ({ label: `${ledgerKindNames[kind]}s`, count, amount: amount.toString() })),
    ),
    entryCount,
    lines: entries?.map((entry) => presentLine(entry, reader)) ?? null,
  };
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
