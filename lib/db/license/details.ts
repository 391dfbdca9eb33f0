import { type AuditRecord, auditValues, writeAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";

const updateHostnameStatement = statement("update_hostname")`
      with changed as (
        update licenses l set hostname = $3
         where l.id = $1 and l.reseller_id = $2 and l.hostname = $6 and l.hostname <> $3
           and (l.open_operation_id is null or l.open_operation_id = $7) returning l.*
      )
      insert into events (id, reseller_id, kind, data, license_id, bundle_instance_id, occurred_at)
      select $4, c.reseller_id, 'license.updated',
             jsonb_build_object('license_id', 'lic_' || c.id, 'type', p.slug, 'server', c.hostname),
             c.id, c.bundle_instance_id, $5
        from changed c join products p on p.id = c.product_id
      returning id`;

/**
 * Updates the host name and writes its event. False if the license has it already, if its host name has changed since the
 * caller read it, or if an operation has opened since.
 */
export async function updateHostname(
  db: Database,
  change: {
    readonly resellerId: ResellerId;
    readonly licenseId: LicenseId;
    readonly hostname: string;
    readonly seen: { readonly hostname: string; readonly openOperationId: string | null };
    readonly eventId: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const { licenseId, resellerId, hostname, seen, eventId, now } = change;
  const values = [licenseId, resellerId, hostname, eventId, now, seen.hostname, seen.openOperationId];
  const rows = await db.query(updateHostnameStatement, values);
  return rows.length === 1;
}

const updateNotesStatement = statement("update_notes")`
      with changed as (
        update licenses l set notes = $3
         where l.id = $1 and l.reseller_id = $2 and ($4::text is null or l.xmin::text = $4) returning l.id
      )
      select id, ${writeAudit(5)} from changed`;

/** Updates the reseller's notes, with its audit entry. False if `seenVersion` is outdated. */
export async function updateNotes(
  db: Database,
  change: {
    readonly resellerId: ResellerId;
    readonly licenseId: number;
    readonly notes: string;
    readonly seenVersion: string | null;
  },
  audit: AuditRecord,
): Promise<boolean> {
  const { licenseId, resellerId, notes, seenVersion } = change;
  const values = [licenseId, resellerId, notes, seenVersion, ...auditValues(audit)];
  const rows = await db.query(updateNotesStatement, values);
  return rows.length === 1;
}
