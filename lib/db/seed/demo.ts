import { as, int, text } from "#lib/db/connection/columns.ts";
import { defineFind, defineRun } from "#lib/db/connection/define.ts";
import type { DiagnosticsFields } from "#lib/db/diagnostics/report.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import type { LicenseKey } from "#lib/domain/license-key.ts";

export const markDemoPasswords = defineRun("mark_demo_passwords")<[emails: readonly string[]]>`
  update users set demo_password = true where email = any ($1)`;

/** Terminates a license in our books and the sandbox provider's. */
export const endDemoLicense = defineRun("end_demo_license")<[licenseId: number, terminatedAt: Date]>`
  with ended as (update licenses set terminated_at = $2 where id = $1 returning key)
  update sandbox_provider_licenses s set state = 'terminated' from ended where s.reference = ended.key`;

/** Defers the next request about an operation to `until`. */
export const postponeDemoOperation = defineRun("postpone_demo_operation")<[id: string, until: Date]>`
  update operations set ask_at = $2 where id = $1`;

const demoLicense = { id: as<LicenseId>(int), key: as<LicenseKey>(text), ipAddress: text };
export const findDemoLicense = defineFind("find_demo_license", demoLicense)<[resellerId: ResellerId, hostname: string]>`
  select id, key, ip_address as "ipAddress" from licenses
   where reseller_id = $1 and hostname = $2 and terminated_at is null order by id limit 1`;

/** Past reports of a license's server. The newest one goes through the service. */
export const insertDemoReports = defineRun("insert_demo_reports").values(
  (
    licenseId: LicenseId,
    reports: readonly (DiagnosticsFields & { readonly reportedAt: Date })[],
    clockOffsetS: number,
  ) => [licenseId, JSON.stringify(reports), clockOffsetS],
)`
  insert into diagnostics_reports (reseller_id, license_id, address, hostname, os, kernel, cpu_cores, memory,
                                   disk_free, uptime, source_address, address_matches, clock_offset_s, reported_at)
  select l.reseller_id, l.id, l.ip_address, l.hostname, r.os, r.kernel, r."cpuCores", r.memory, r."diskFree", r.uptime,
         l.ip_address, true, $3, r."reportedAt"
    from licenses l,
         jsonb_to_recordset($2::jsonb) as r (os text, kernel text, "cpuCores" int, memory text, "diskFree" text,
                                             uptime text, "reportedAt" timestamptz)
   where l.id = $1 order by r."reportedAt"`;
