import { type ServerDay, type ServerListRow, serverHref } from "#components/diagnostics/server.ts";
import { failedChecks } from "#lib/domain/server-checks.ts";
import { checksOf, type ServerDayRow } from "#lib/services/diagnostics/get-server.ts";
import type { ListedServer } from "#lib/services/diagnostics/list-servers.ts";

const DAY_MS = 86_400_000;
/** `2027-03-10` in an ISO time. */
const DAY_LENGTH = 10;

export function presentServer(server: ListedServer, now: Date): ServerListRow {
  return {
    address: server.address,
    href: serverHref(server.address),
    hostname: server.hostname,
    reportedAt: server.reportedAt.toISOString(),
    licenseCount: server.licenseCount,
    severity: server.severity,
    problems: failedChecks(checksOf(server, now)),
  };
}

/** Every day from the first on, also those without a report. */
export function presentDays(firstDay: Date, days: number, rows: readonly ServerDayRow[]): ServerDay[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(firstDay.getTime() + index * DAY_MS).toISOString().slice(0, DAY_LENGTH);
    const row = rows.find((candidate) => candidate.day === day);
    return {
      day,
      reportedHours: row?.reportedHours ?? 0,
      lowestDiskFreeMb: row?.lowestDiskFreeMb ?? null,
      longestUptimeHours: row?.longestUptimeHours ?? null,
    };
  });
}
