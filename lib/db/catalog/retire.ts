import { type AuditRecord, auditValues, writeAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";

/** Takes a thing of the catalog off sale, or with `retiredAt` null puts it back, with its audit entry. */
export async function updateRetired(
  db: Database,
  catalogTable: "products" | "bundles" | "billing_cycles",
  id: number,
  retiredAt: Date | null,
  audit: AuditRecord,
): Promise<void> {
  await db.query({
    name: `update_retired_${catalogTable}`,
    text: `
      with changed as (update ${catalogTable} set retired_at = $2 where id = $1 returning id)
      select ${writeAudit(3)} from changed`,
    values: [id, retiredAt, ...auditValues(audit)],
  });
}
