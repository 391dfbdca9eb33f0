import { type AuditRecord, auditValues, writeAudit } from "#lib/db/audit/audit.ts";
import { list, text } from "#lib/db/connection/columns.ts";
import { defineAny } from "#lib/db/connection/define.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { Labels } from "#lib/domain/labels.ts";

/** Columns of a license that are its labels. */
export const labelColumns = {
  customerName: text,
  customerEmail: text,
  customerReference: text,
  tags: list(text),
} satisfies Record<keyof Labels, unknown>;

/** The same, of the table `licenses l`. */
export const selectLabels = `l.customer_name as "customerName", l.customer_email as "customerEmail",
             l.customer_reference as "customerReference", l.tags`;

/** Updates customer and tags, with its audit entry. False if `version` is outdated. */
export const updateLabels = defineAny("update_labels").values(
  (
    change: Labels & {
      readonly resellerId: ResellerId;
      readonly licenseId: number;
      readonly version: string;
    },
    audit: AuditRecord,
  ) => [
    change.licenseId,
    change.resellerId,
    change.version,
    change.customerName,
    change.customerEmail,
    change.customerReference,
    change.tags,
    ...auditValues(audit),
  ],
)`
      with changed as (
        update licenses l set customer_name = $4, customer_email = $5, customer_reference = $6, tags = $7::text[]
         where l.id = $1 and l.reseller_id = $2 and l.xmin::text = $3 returning l.id
      )
      select id, ${writeAudit(8)} from changed`;
