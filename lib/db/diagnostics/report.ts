import type { Database } from "#lib/db/connection/client.ts";
import { int, text, timestamp } from "#lib/db/connection/columns.ts";
import { defineRun } from "#lib/db/connection/define.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { CheckId, Severity } from "#lib/domain/server-checks.ts";

export const diagnosticsFields = { os: text, kernel: text, cpuCores: int, memory: text, diskFree: text, uptime: text };
export type DiagnosticsFields = RowOf<typeof diagnosticsFields>;

const reportRow = { ...diagnosticsFields, reportedAt: timestamp };
export type DiagnosticsReportRow = RowOf<typeof reportRow>;

/** A license's own reports, or a server's by its address or the host name that it reports. */
export type ReportSelector =
  | { readonly licenseKey: string }
  | { readonly licenseId: number }
  | { readonly ipAddress: string }
  | { readonly server: string };

const newestReport = (name: string, condition: string, order: string) =>
  statement(`find_newest_report_by_${name}`, reportRow)`
      select r.os, r.kernel, r.cpu_cores as "cpuCores", r.memory, r.disk_free as "diskFree", r.uptime, r.reported_at as "reportedAt"
        from diagnostics_reports r where r.reseller_id = $1 and ${condition} order by ${order} limit 1`;
/** Never another license's, even on the same address: a key bound to that one could report for this one. */
const ownAtItsAddress = (license: string) =>
  `(r.license_id, r.address) = (select l.id, l.ip_address from licenses l where l.reseller_id = $1 and ${license} = $2)`;
const newestReports = {
  licenseKey: newestReport("license_key", ownAtItsAddress("l.key"), "r.id desc"),
  licenseId: newestReport("license_id", ownAtItsAddress("l.id"), "r.id desc"),
  // A flagged report may come from anywhere.
  ipAddress: newestReport("address", "r.address = $2", "r.address_matches desc, r.reported_at desc, r.id desc"),
  server: newestReport("hostname", "r.hostname = $2", "r.address_matches desc, r.id desc"),
};

export async function findNewestReport(
  db: Database,
  resellerId: ResellerId,
  selector: ReportSelector,
): Promise<DiagnosticsReportRow | null> {
  const [[kind, value]] = Object.entries(selector) as [[keyof typeof newestReports, string | number]];
  return findRow(db, newestReports[kind], [resellerId, value]);
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

/** Stores a report as its server's newest. */
export const insertReport = defineRun("insert_report").values((report: NewReport) => [
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
])`
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
