import { findDemoLicense, insertDemoReports } from "#lib/db/seed/demo.ts";
import { parseHostname } from "#lib/domain/hostname.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { reportDiagnostics } from "#lib/services/diagnostics/report.ts";

const MS_PER_HOUR = 3_600_000;
const HISTORY_HOURS = 30 * 24;

interface AgentSeed {
  readonly host: string;
  readonly lastHoursAgo: number;
  readonly clockOffsetS: number;
  /** Source of the last report, if not the license's address. */
  readonly sourceAddress?: string;
  /** Gigabytes, by hours ago. */
  readonly diskFreeGb: (hoursAgo: number) => number;
  readonly upDays: (hoursAgo: number) => number;
}

const agents: readonly AgentSeed[] = [
  {
    host: "web1.northwind.example",
    lastHoursAgo: 0,
    clockOffsetS: 0,
    diskFreeGb: (hoursAgo) => 180 + Math.round(6 * Math.sin(hoursAgo / 40)),
    upDays: (hoursAgo) => 61 - Math.floor(hoursAgo / 24),
  },
  {
    host: "shop.northwind.example",
    lastHoursAgo: 0,
    clockOffsetS: -95,
    diskFreeGb: (hoursAgo) => 3 + Math.floor(hoursAgo / 9),
    upDays: (hoursAgo) => (hoursAgo < 12 * 24 ? 12 : 48) - Math.floor(hoursAgo / 24),
  },
  {
    host: "backup.northwind.example",
    lastHoursAgo: 53,
    clockOffsetS: 1,
    diskFreeGb: () => 2_310,
    upDays: (hoursAgo) => 120 - Math.floor(hoursAgo / 24),
  },
  {
    host: "web2.northwind.example",
    lastHoursAgo: 0,
    clockOffsetS: 2,
    sourceAddress: "203.0.113.77",
    diskFreeGb: () => 96,
    upDays: (hoursAgo) => 33 - Math.floor(hoursAgo / 24),
  },
];

const host = { os: "Debian GNU/Linux 12 (bookworm)", kernel: "6.1.0-28-amd64", cpuCores: 8, memory: "31GB" };

/** A month of agent reports for the demonstration's servers; `contextAt`: the reseller's context at a time. */
export async function seedReports(
  resellerId: ResellerId,
  contextAt: (daysAgo: number) => ServiceContext,
): Promise<void> {
  const { db } = getRuntime();
  for (const agent of agents) {
    const license = await findDemoLicense(db, resellerId, agent.host);
    const hostname = parseHostname(agent.host);
    if (license === null || hostname === null) continue;
    const report = (hoursAgo: number) => ({
      ...host,
      diskFree: `${agent.diskFreeGb(hoursAgo)}GB`,
      uptime: `${agent.upDays(hoursAgo)} days`,
    });
    const hours = Array.from({ length: HISTORY_HOURS - agent.lastHoursAgo }, (_, n) => HISTORY_HOURS - n);
    const reports = hours.map((hoursAgo) => ({
      ...report(hoursAgo),
      reportedAt: new Date(Date.now() - hoursAgo * MS_PER_HOUR),
    }));
    await insertDemoReports(db, license.id, reports, agent.clockOffsetS);
    const ctx = contextAt(agent.lastHoursAgo / 24);
    await reportDiagnostics(ctx, {
      ...report(agent.lastHoursAgo),
      hostname,
      licenseKey: license.key,
      sourceAddress: agent.sourceAddress ?? license.ipAddress,
      sentAt: new Date(ctx.now().getTime() + agent.clockOffsetS * 1_000),
    });
  }
}
