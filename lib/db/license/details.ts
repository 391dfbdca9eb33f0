import { type AuditRecord, auditValues, writeAudit } from "#lib/db/audit/audit.ts";
import { defineAny } from "#lib/db/connection/define.ts";
import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";

/**
 * Updates the host name and writes its event. False if the license has it already, if its host name has changed since the
 * caller read it, or if an operation has opened since.
 */
export const updateHostname = defineAny("update_hostname").values(
  (change: {
    readonly resellerId: ResellerId;
    readonly licenseId: LicenseId;
    readonly hostname: string;
    readonly seen: { readonly hostname: string; readonly openOperationId: string | null };
    readonly eventId: string;
    readonly now: Date;
  }) => {
    const { licenseId, resellerId, hostname, seen, eventId, now } = change;
    return [licenseId, resellerId, hostname, eventId, now, seen.hostname, seen.openOperationId];
  },
)`
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

/** Updates the reseller's notes, with its audit entry. False if `seenVersion` is outdated. */
export const updateNotes = defineAny("update_notes").values(
  (
    change: {
      readonly resellerId: ResellerId;
      readonly licenseId: number;
      readonly notes: string;
      readonly seenVersion: string | null;
    },
    audit: AuditRecord,
  ) => {
    const { licenseId, resellerId, notes, seenVersion } = change;
    return [licenseId, resellerId, notes, seenVersion, ...auditValues(audit)];
  },
)`
      with changed as (
        update licenses l set notes = $3
         where l.id = $1 and l.reseller_id = $2 and ($4::text is null or l.xmin::text = $4) returning l.id
      )
      select id, ${writeAudit(5)} from changed`;
