import type { Database } from "#lib/db/connection/client.ts";
import { as, int, text } from "#lib/db/connection/columns.ts";
import { findRow, type RowOf, statement } from "#lib/db/connection/statement.ts";
import type { DiagnosticsFields } from "#lib/db/diagnostics/report.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";

const markDemoPasswordsStatement = statement("mark_demo_passwords")`
  update users set demo_password = true where email = any ($1)`;

export async function markDemoPasswords(db: Database, emails: readonly string[]): Promise<void> {
  await db.query(markDemoPasswordsStatement, [emails]);
}

const endDemoLicenseStatement = statement("end_demo_license")`
  with ended as (update licenses set terminated_at = $2 where id = $1 returning key)
  update sandbox_provider_licenses s set state = 'terminated' from ended where s.reference = ended.key`;

/** Terminates a license in our books and the sandbox provider's. */
export async function endDemoLicense(db: Database, licenseId: number, terminatedAt: Date): Promise<void> {
  await db.query(endDemoLicenseStatement, [licenseId, terminatedAt]);
}

const postponeDemoOperationStatement = statement("postpone_demo_operation")`
  update operations set ask_at = $2 where id = $1`;

/** Defers the next request about an operation to `until`. */
export async function postponeDemoOperation(db: Database, id: string, until: Date): Promise<void> {
  await db.query(postponeDemoOperationStatement, [id, until]);
}

const demoLicense = { id: as<LicenseId>(int), key: as<LicenseKey>(text), ipAddress: text };
const findDemoLicenseStatement = statement("find_demo_license", demoLicense)`
  select id, key, ip_address as "ipAddress" from licenses
   where reseller_id = $1 and hostname = $2 and terminated_at is null order by id limit 1`;

export async function findDemoLicense(
  db: Database,
  resellerId: ResellerId,
  hostname: string,
): Promise<RowOf<typeof demoLicense> | null> {
  return findRow(db, findDemoLicenseStatement, [resellerId, hostname]);
}

const insertDemoReportsStatement = statement("insert_demo_reports")`
  insert into diagnostics_reports (reseller_id, license_id, address, hostname, os, kernel, cpu_cores, memory,
                                   disk_free, uptime, source_address, address_matches, clock_offset_s, reported_at)
  select l.reseller_id, l.id, l.ip_address, l.hostname, r.os, r.kernel, r."cpuCores", r.memory, r."diskFree", r.uptime,
         l.ip_address, true, $3, r."reportedAt"
    from licenses l,
         jsonb_to_recordset($2::jsonb) as r (os text, kernel text, "cpuCores" int, memory text, "diskFree" text,
                                             uptime text, "reportedAt" timestamptz)
   where l.id = $1 order by r."reportedAt"`;

/** Past reports of a license's server. The newest one goes through the service. */
export async function insertDemoReports(
  db: Database,
  licenseId: LicenseId,
  reports: readonly (DiagnosticsFields & { readonly reportedAt: Date })[],
  clockOffsetS: number,
): Promise<void> {
  await db.query(insertDemoReportsStatement, [licenseId, JSON.stringify(reports), clockOffsetS]);
}
