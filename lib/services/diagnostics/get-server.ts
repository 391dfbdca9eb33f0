import { findServer, listServerDays, type ServerDayRow, type ServerRow } from "#lib/db/diagnostics/server.ts";
import { findLicensesByAddress } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { Ipv4 } from "#lib/domain/ipv4.ts";
import { type Check, checkName, checkReport, checkReportAge } from "#lib/domain/server-checks.ts";
import { isPublicHostname } from "#lib/domain/server-name.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { ServerDayRow, ServerRow } from "#lib/db/diagnostics/server.ts";

const DAY_MS = 86_400_000;

interface ServerInput {
  readonly address: Ipv4;
}

interface ServerState {
  readonly report: ServerRow;
  readonly checks: readonly Check[];
}

/** A server's newest report with its checks; null without a report. */
export async function findServerState(ctx: ServiceContext, { address }: ServerInput): Promise<ServerState | null> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const report = await findServer(ctx.db, resellerId, address);
  return report && { report, checks: checksOf(report, ctx.now()) };
}

/**
 * The same, for an address of this reseller.
 * @throws DomainError `not_found`: this reseller has no license and no report with this address (contract 1.12).
 */
export async function getServer(ctx: ServiceContext, { address }: ServerInput): Promise<ServerState | null> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const state = await findServerState(ctx, { address });
  const search = { ipAddress: address, type: null, limit: 1 };
  if (state === null && (await findLicensesByAddress(ctx.db, resellerId, search)).length === 0)
    throw new DomainError("not_found", "You have no license on this address.");
  return state;
}

/** The checks that need only the report. */
export function checksOf(report: ServerRow, now: Date): readonly Check[] {
  return [checkReportAge(report.reportedAt, now), ...checkReport(report)];
}

/**
 * Whether the reported name resolves to the server. Takes up to seconds of name lookups, for public names only.
 * @throws DomainError `not_found`: no report on this address.
 */
export async function checkServerName(ctx: ServiceContext, { address }: ServerInput): Promise<Check> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const report = await findServer(ctx.db, resellerId, address);
  if (!report) throw new DomainError("not_found", "There is no report from this address.");
  const { hostname } = report;
  return checkName(
    hostname,
    address,
    isPublicHostname(hostname) ? await ctx.hostResolver.resolve(hostname) : "not_public",
  );
}

/** The last `days` UTC days of a server including today, without days that have no report. */
export async function getServerTrend(
  ctx: ServiceContext,
  { address, days }: ServerInput & { readonly days: number },
): Promise<{ readonly firstDay: Date; readonly rows: readonly ServerDayRow[] }> {
  const resellerId = requireReseller(ctx, "diagnostics:read");
  const nowMs = ctx.now().getTime();
  const firstDay = new Date(nowMs - (nowMs % DAY_MS) - (days - 1) * DAY_MS);
  return { firstDay, rows: await listServerDays(await ctx.db.reads(), resellerId, address, firstDay) };
}
