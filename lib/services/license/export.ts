import { recordRead } from "#lib/db/audit/audit.ts";
import { type CsvText, csvRecord, csvRecords } from "#lib/domain/csv.ts";
import { formatLicenseId } from "#lib/domain/ids.ts";
import { formatTags } from "#lib/domain/labels.ts";
import type { LicenseColumn } from "#lib/domain/license-column.ts";
import type { LicenseOrder } from "#lib/domain/license-order.ts";
import { deriveLicenseStatus } from "#lib/domain/license-status.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { type LicenseFilter, type LicenseListItem, streamAllLicenses, streamLicenses } from "./list.ts";

export interface LicenseExportInput {
  readonly filter: LicenseFilter;
  readonly order: LicenseOrder;
  /** In addition to id and product. */
  readonly columns: readonly LicenseColumn[];
}

type Fields = Readonly<Record<string, (license: LicenseListItem, now: Date) => string>>;

/** CSV fields of each column; shared names match the import's (docs/import.md). */
const fields = {
  server: { hostname: ({ hostname }) => hostname, ip_address: ({ ipAddress }) => ipAddress },
  key: { license_key: ({ key }) => key },
  status: { status: deriveLicenseStatus },
  expires: { expires_at: ({ expiresAt }) => toTimestamp(expiresAt) },
  cores: { cores: ({ cores }) => String(cores ?? "") },
  bundle: {
    bundle: ({ bundleName }) => bundleName ?? "",
    bundle_instance: ({ bundleInstanceId }) => String(bundleInstanceId ?? ""),
  },
  renewal: { auto_renew: ({ autoRenew }) => (autoRenew ? "yes" : "no") },
  cycle: { cycle: ({ cycleName }) => cycleName },
  registered: { registered_at: ({ issuedAt }) => toTimestamp(issuedAt) },
  customer: {
    customer_name: ({ customerName }) => customerName,
    customer_email: ({ customerEmail }) => customerEmail,
    customer_reference: ({ customerReference }) => customerReference,
  },
  tags: { tags: ({ tags }) => formatTags(tags) },
  notes: { notes: ({ notes }) => notes },
} as const satisfies Record<LicenseColumn, Fields>;

/**
 * Streams matching licenses as CSV (RFC 4180) with the chosen columns, in constant memory. Times: ISO 8601, UTC.
 * @throws DomainError `permission_denied` at the first chunk
 */
export async function* exportLicenses(ctx: ServiceContext, input: LicenseExportInput): AsyncGenerator<CsvText> {
  const resellerId = requireReseller(ctx, "licenses:read");
  await recordRead(writesOf(ctx), auditRecord(ctx, { action: "license.export", resellerId, subject: "licenses" }));
  yield* writeCsv(toFields(input.columns), ctx.now(), streamLicenses(ctx, input.filter, input.order));
}

/** The same of all live resellers, who are named. */
export async function* exportAllLicenses(ctx: ServiceContext, input: LicenseExportInput): AsyncGenerator<CsvText> {
  requireAdmin(ctx, "admin:read");
  await recordRead(writesOf(ctx), auditRecord(ctx, { action: "license.export", subject: "licenses" }));
  const chosen = { reseller: ({ resellerName }: LicenseListItem) => resellerName, ...toFields(input.columns) };
  yield* writeCsv(chosen, ctx.now(), streamAllLicenses(ctx, input.filter, input.order));
}

function toFields(columns: readonly LicenseColumn[]): Fields {
  const named = {
    license_id: ({ id }: LicenseListItem) => formatLicenseId(id),
    product: ({ productName }: LicenseListItem) => productName,
  };
  return Object.assign(named, ...columns.map((column) => fields[column]));
}

async function* writeCsv(
  chosen: Fields,
  now: Date,
  pages: AsyncIterable<readonly LicenseListItem[]>,
): AsyncGenerator<CsvText> {
  const cells = Object.values(chosen);
  yield csvRecord(Object.keys(chosen));
  for await (const licenses of pages) {
    yield csvRecords(licenses.map((license) => cells.map((cell) => cell(license, now))));
  }
}
