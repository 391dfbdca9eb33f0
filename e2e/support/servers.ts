import type { Hostname } from "#lib/domain/hostname.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";
import { getRuntime } from "#lib/runtime.ts";
import { reportDiagnostics } from "#lib/services/diagnostics/report.ts";
import { sql } from "#tests/sql.ts";
import { adminContext, type Reseller } from "./world.ts";

interface Told {
  readonly hostname?: string;
  /** How long ago. */
  readonly silentHours?: number;
  readonly sourceAddress?: string;
  readonly diskFree?: string;
  readonly uptime?: string;
  readonly clockOffsetS?: number;
}

interface Reporting {
  readonly licenseId: number;
  readonly address: string;
  /** The agent reports once more. */
  readonly report: (told?: Told) => Promise<void>;
}

/** A license on an address of its own, with what an agent there says at the time that it says it. */
export async function newServer(reseller: Reseller, address = reseller.newAddress()): Promise<Reporting> {
  const license = await reseller.newLicense({ ip: address });
  const report = async ({
    hostname = "web1.northwind.example",
    silentHours = 0,
    clockOffsetS = 0,
    ...told
  }: Told = {}) => {
    const at = new Date(Date.now() - silentHours * 3_600_000);
    await reportDiagnostics(
      { ...adminContext(reseller.resellerId), now: () => at },
      {
        licenseKey: license.license_key as LicenseKey,
        hostname: hostname as Hostname,
        os: "Debian GNU/Linux 12 (bookworm)",
        kernel: "6.1.0-28-amd64",
        cpuCores: 8,
        memory: "31GB",
        diskFree: "212GB",
        uptime: "41 days",
        sourceAddress: address,
        sentAt: new Date(at.getTime() + clockOffsetS * 1_000),
        ...told,
      },
    );
  };
  return { licenseId: license.license_id, address, report };
}

/** Thirty days of reports, four a day, of a disk that fills and a server that was started anew in between. */
export async function fillTrend(reseller: Reseller, server: Reporting, hostname: string): Promise<void> {
  await getRuntime().db.query(
    sql(`
      insert into diagnostics_reports (reseller_id, license_id, address, hostname, os, kernel, cpu_cores, memory, disk_free,
                                       uptime, source_address, address_matches, clock_offset_s, reported_at)
      select $1, $2, $3, $4, '', '', 8, '31GB', greatest(3, 180 - n * 6 + n % 4 * 2) || 'GB',
             case when n < 18 then n + 23 else n - 17 end || ' days', $3, true, 0,
             now() - make_interval(days => 30 - n, hours => 1 + h)
        from generate_series(1, 29) n, generate_series(0, 20 + n % 4) h
       where n not in (11, 12)`),
    [reseller.resellerId, server.licenseId, server.address, hostname],
  );
}
