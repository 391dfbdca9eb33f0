import { type DiagnosticsReportRow, findNewestReport, type ReportSelector } from "#lib/db/diagnostics/report.ts";
import { formatSize, formatUptime } from "#lib/domain/diagnostics.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { ReportSelector } from "#lib/db/diagnostics/report.ts";

/**
 * The newest report of a selector; without one, a live reading of the responding host (contract 2.5).
 * @throws DomainError `diagnostics_report_not_found`: no report, or live readings are off.
 */
export async function getDiagnostics(
  ctx: ServiceContext,
  selector: ReportSelector | null,
): Promise<DiagnosticsReportRow> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  if (selector) {
    const report = await findNewestReport(ctx.db, resellerId, selector);
    if (!report) throw new DomainError("diagnostics_report_not_found", "There is no report from this server.");
    return report;
  }
  if (!ctx.settings.liveDiagnostics) {
    throw new DomainError(
      "diagnostics_report_not_found",
      "Choose a server by license_key, license_id, ip_address or server.",
    );
  }
  const host = await ctx.hostProbe.read();
  return {
    os: host.os,
    kernel: host.kernel,
    cpuCores: host.cpuCores,
    memory: formatSize(host.memoryBytes),
    diskFree: formatSize(host.diskFreeBytes),
    uptime: formatUptime(host.uptimeSeconds),
    reportedAt: ctx.now(),
  };
}
