import { getStatementStart, listStatementEntries } from "#lib/db/statement.ts";
import type { LedgerEntryRow } from "#lib/db/wallet.ts";
import { csvRecord } from "#lib/domain/csv.ts";
import { invalidParameters } from "#lib/domain/errors.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

const PAGE_SIZE = 1_000;
const header = [
  "time",
  "entry",
  "kind",
  "operation",
  "license",
  "bundle",
  "reference",
  "note",
  "amount",
  "balance",
  "currency",
];

/** From `from` on, and before `to`. */
export interface StatementPeriod {
  readonly from: Date;
  readonly to: Date;
}

/**
 * A wallet's statement as CSV (RFC 4180), in pieces of up to a thousand entries: a header, the opening balance, every
 * entry of the period with the balance after it, and the closing balance. Amounts are decimals in major units; opening
 * balance and amounts add up to the closing balance exactly.
 * @throws DomainError `permission_denied`, `parameters_invalid` (the period ends before it begins): at the first piece.
 */
export async function* streamStatement(ctx: ServiceContext, { from, to }: StatementPeriod): AsyncGenerator<string> {
  const resellerId = requireReseller(ctx, "wallet:read");
  if (to < from) {
    throw invalidParameters([{ field: "to", kind: "out_of_range", message: "must not be before the beginning" }]);
  }
  const start = await getStatementStart(ctx.db, resellerId, { from, to });
  const { currency } = start;
  let balance = start.openingBalance;
  yield csvRecord(header) + balanceRecord("Opening balance", from, balance, currency);

  let fromId = start.firstEntryId;
  while (fromId !== null && start.lastEntryId !== null) {
    const page = { from, to, fromId, toId: start.lastEntryId, limit: PAGE_SIZE };
    const entries: LedgerEntryRow[] = await listStatementEntries(ctx.db, start.walletId, page);
    let piece = "";
    for (const entry of entries) {
      balance += entry.amount;
      piece += entryRecord(entry, balance, currency);
    }
    if (piece !== "") yield piece;
    const last = entries.at(-1);
    fromId = last && entries.length === PAGE_SIZE ? last.id + 1n : null;
  }
  yield balanceRecord("Closing balance", to, balance, currency);
}

function balanceRecord(note: string, at: Date, balance: bigint, currency: Currency): string {
  return csvRecord([toTimestamp(at), "", "", "", "", "", "", note, "", toMajorText(balance, currency), currency]);
}

function entryRecord(entry: LedgerEntryRow, balance: bigint, currency: Currency): string {
  return csvRecord([
    toTimestamp(entry.createdAt),
    entry.id.toString(),
    entry.kind,
    entry.operationKind?.replace("_", ".") ?? "",
    entry.licenseId?.toString() ?? "",
    entry.bundleInstanceId?.toString() ?? "",
    entry.reference ?? "",
    entry.note,
    toMajorText(entry.amount, currency),
    toMajorText(balance, currency),
    currency,
  ]);
}
