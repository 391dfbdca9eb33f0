import { recordRead } from "#lib/db/audit/audit.ts";
import { type CsvText, csvRecord, csvRecords } from "#lib/domain/csv.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { openStatement, type StatementEntry, type StatementPeriod } from "./statement.ts";

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
  "about",
];

/**
 * A wallet's statement as CSV (RFC 4180), in chunks of up to a thousand entries: header, opening balance, every entry
 * with the balance after it, closing balance; the balance so far of a period that is not over. Amounts are decimals in
 * major units and add up exactly.
 * @throws as `openStatement`, with the first chunk
 */
export async function* streamStatement(ctx: ServiceContext, period: StatementPeriod): AsyncGenerator<CsvText> {
  const { resellerId, currency, openingBalance, closingBalance, closed, readAt, pages } = await openStatement(
    ctx,
    period,
  );
  const data = { from: toTimestamp(period.from), to: toTimestamp(period.to) };
  const subject = `wallet:${resellerId}`;
  await recordRead(writesOf(ctx), auditRecord(ctx, { action: "wallet.export_statement", resellerId, subject, data }));
  yield csvRecords([header, balanceCells("Opening balance", period.from, openingBalance, currency)]);
  for await (const entries of pages(PAGE_SIZE)) yield csvRecords(entries.map((entry) => cellsOf(entry, currency)));
  yield csvRecord(
    closed
      ? balanceCells("Closing balance", period.to, closingBalance, currency)
      : balanceCells("Balance so far", readAt, closingBalance, currency),
  );
}

function balanceCells(note: string, at: Date, balance: bigint, currency: Currency): string[] {
  return [toTimestamp(at), "", "", "", "", "", "", note, "", toMajorText(balance, currency), currency, ""];
}

function cellsOf(entry: StatementEntry, currency: Currency): string[] {
  return [
    toTimestamp(entry.createdAt),
    entry.id.toString(),
    entry.kind,
    entry.operationKind?.replace("_", ".") ?? "",
    entry.licenseId?.toString() ?? "",
    entry.bundleInstanceId?.toString() ?? "",
    entry.reference ?? "",
    entry.note,
    toMajorText(entry.amount, currency),
    toMajorText(entry.balance, currency),
    currency,
    entry.subjectLabel ?? "",
  ];
}
