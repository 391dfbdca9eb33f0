import { randomUUID } from "node:crypto";
import { type DiagnosticsFields, insertReport } from "#lib/db/diagnostics/report.ts";
import { updateHostname } from "#lib/db/license/details.ts";
import { findLicenseByKey } from "#lib/db/license/license.ts";
import type { Hostname } from "#lib/domain/hostname.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { checkReport, failedCheckIds, worstSeverity } from "#lib/domain/server-checks.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { licenseNotFound } from "#lib/services/license/get.ts";
import { requireLicenseReach, withinReach } from "#lib/services/license-reach.ts";

export interface ReportInput extends DiagnosticsFields {
  readonly licenseKey: LicenseKey;
  readonly hostname: Hostname;
  readonly sourceAddress: string;
  /** The server's clock, if reported. */
  readonly sentAt: Date | null;
}

const MAX_OFFSET_S = 2_000_000_000;

/**
 * Stores an agent's report (contract 2.6). Flags one from another address than the license's; one from the right
 * address can set a missing host name.
 * @throws DomainError `license_not_found`
 */
export async function reportDiagnostics(
  ctx: ServiceContext,
  input: ReportInput,
): Promise<{ readonly updatedAt: Date }> {
  const reach = requireLicenseReach(ctx, "diagnostics:write");
  const { resellerId } = reach;
  const { licenseKey, sentAt, ...report } = input;
  const license = withinReach(reach, await findLicenseByKey(ctx.db, resellerId, licenseKey));
  if (!license) throw licenseNotFound("license_key");
  const now = ctx.now();
  const address = license.ipAddress;
  const addressMatches = input.sourceAddress === address;
  const clockOffsetS = sentAt === null ? null : clockOffset(sentAt, now);
  const checks = checkReport({ ...report, address, clockOffsetS });
  await insertReport(writesOf(ctx), {
    ...report,
    resellerId,
    licenseId: license.id,
    address,
    addressMatches,
    clockOffsetS,
    reportedAt: now,
    severity: worstSeverity(checks),
    problems: failedCheckIds(checks),
  });
  if (addressMatches && license.hostname === "") {
    await updateHostname(writesOf(ctx), {
      resellerId,
      licenseId: license.id,
      hostname: input.hostname,
      seen: license,
      eventId: randomUUID(),
      now,
    });
  }
  return { updatedAt: now };
}

/** Whole seconds that the server's clock is ahead of ours, including latency; may be centuries. */
function clockOffset(sentAt: Date, now: Date): number {
  const offsetS = Math.round((sentAt.getTime() - now.getTime()) / 1_000);
  return Math.max(-MAX_OFFSET_S, Math.min(MAX_OFFSET_S, offsetS));
}
