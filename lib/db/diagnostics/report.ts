import type { Database } from "#lib/db/connection/client.ts";
import { int, text } from "#lib/db/connection/columns.ts";
import { type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { CheckId, Severity } from "#lib/domain/server-checks.ts";

export const diagnosticsFields = { os: text, kernel: text, cpuCores: int, memory: text, diskFree: text, uptime: text };
export type DiagnosticsFields = RowOf<typeof diagnosticsFields>;

export interface DiagnosticsReportRow extends DiagnosticsFields {
  readonly reportedAt: Date;
}

export type ReportSelector =
  | { readonly licenseKey: string }
  | { readonly licenseId: number }
  | { readonly ipAddress: string }
  | { readonly server: string };

export async function findNewestReport(
  db: Database,
  resellerId: ResellerId,
  selector: ReportSelector,
): Promise<DiagnosticsReportRow | null> {
  return db.prisma.diagnosticsReport.findFirst({
    where: { resellerId, ...reportCondition(selector) },
    orderBy: { id: "desc" },
    select: { os: true, kernel: true, cpuCores: true, memory: true, diskFree: true, uptime: true, reportedAt: true },
  });
}

function reportCondition(selector: ReportSelector) {
  if ("licenseKey" in selector) return { license: { key: selector.licenseKey } };
  if ("licenseId" in selector) return { licenseId: selector.licenseId };
  if ("ipAddress" in selector) return { license: { ipAddress: selector.ipAddress } };
  return { hostname: selector.server };
}

export interface NewReport extends DiagnosticsFields {
  readonly resellerId: ResellerId;
  readonly licenseId: LicenseId;
  /** The license's address. */
  readonly address: string;
  readonly hostname: string;
  readonly sourceAddress: string;
  readonly addressMatches: boolean;
  readonly clockOffsetS: number | null;
  readonly reportedAt: Date;
  /** The result of its checks, by which servers are listed. */
  readonly severity: Severity;
  readonly problems: readonly CheckId[];
}

const insertReportStatement = statement("insert_report")`
      with report as (
        insert into diagnostics_reports (reseller_id, license_id, address, hostname, os, kernel, cpu_cores, memory,
                                         disk_free, uptime, source_address, address_matches, clock_offset_s, reported_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning id
      )
      insert into servers (reseller_id, address, hostname, report_id, reported_at, severity, problems, problems_since)
      select $1, $3, $4, report.id, $14, $15, $16, $14 from report
          on conflict (reseller_id, address) do update
         set hostname = excluded.hostname, report_id = excluded.report_id, reported_at = excluded.reported_at,
             severity = excluded.severity, problems = excluded.problems,
             problems_since = case when (servers.severity, servers.problems) = (excluded.severity, excluded.problems)
                                   then servers.problems_since else excluded.problems_since end
       where servers.reported_at <= excluded.reported_at`;

/** Stores a report as its server's newest. */
export async function insertReport(db: Database, report: NewReport): Promise<void> {
  await db.query(insertReportStatement, [
    report.resellerId,
    report.licenseId,
    report.address,
    report.hostname,
    report.os,
    report.kernel,
    report.cpuCores,
    report.memory,
    report.diskFree,
    report.uptime,
    report.sourceAddress,
    report.addressMatches,
    report.clockOffsetS,
    report.reportedAt,
    report.severity,
    report.problems,
  ]);
}
