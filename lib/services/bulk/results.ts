import { recordRead } from "#lib/db/audit/audit.ts";
import { type BulkItemRow, listBulkItems } from "#lib/db/bulk/item.ts";
import { type CsvText, csvRecord, csvRecords } from "#lib/domain/csv.ts";
import { formatLicenseId, type LicenseId } from "#lib/domain/ids.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { hasPermission, requireResellerUser, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readInTurn } from "#lib/services/read-in-turn.ts";
import { getOwnBulkJob } from "./get.ts";
import { toShownItem } from "./list-items.ts";

const PAGE_SIZE = 1_000;
const header = [
  "number",
  "license",
  "bundle",
  "product",
  "hostname",
  "ip_address",
  "outcome",
  "code",
  "message",
  "charged",
  "currency",
  "operation",
  "ended",
];

/** Streams the outcome of every item of a job as CSV (RFC 4180). @throws DomainError `not_found` at the first chunk */
export async function* streamBulkResults(
  ctx: ServiceContext,
  input: { readonly jobId: number },
): AsyncGenerator<CsvText> {
  const resellerId = requireResellerUser(ctx, "licenses:read");
  const { id, currency } = await getOwnBulkJob(ctx, resellerId, input.jobId);
  const subject = `bulk_job:${id}`;
  await recordRead(writesOf(ctx), auditRecord(ctx, { action: "bulk.export_results", resellerId, subject }));
  const seesWallet = hasPermission(ctx, "wallet:read");
  yield csvRecord(header);
  let after: number | null = 0;
  while (after !== null) {
    const page = { states: null, after, limit: PAGE_SIZE };
    const items: BulkItemRow[] = await readInTurn(resellerId, () => listBulkItems(ctx.db, resellerId, id, page));
    if (items.length > 0) yield csvRecords(items.map((item) => toCells(toShownItem(item, seesWallet), currency)));
    after = items.length === PAGE_SIZE ? (items.at(-1)?.position ?? null) : null;
  }
}

function toCells(item: BulkItemRow, currency: Currency): string[] {
  return [
    item.position.toString(),
    item.licenseId === null ? "" : formatLicenseId(item.licenseId as LicenseId),
    item.bundleInstanceId?.toString() ?? "",
    item.productName ?? "",
    item.hostname ?? "",
    item.ipAddress ?? "",
    item.state,
    item.errorCode ?? "",
    item.errorMessage ?? "",
    toMajorText(item.chargedAmount, currency),
    currency,
    item.operationId ?? "",
    item.endedAt === null ? "" : toTimestamp(item.endedAt),
  ];
}
