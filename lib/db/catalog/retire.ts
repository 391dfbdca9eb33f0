import { type AuditRecord, auditValues, writeAudit } from "#lib/db/audit/audit.ts";
import type { Database } from "#lib/db/connection/client.ts";
import { statement } from "#lib/db/connection/statement.ts";

const updateRetiredOf = (table: "products" | "bundles" | "billing_cycles") =>
  statement(`update_retired_${table}`)`
      with changed as (update ${table} set retired_at = $2 where id = $1 returning id)
      select ${writeAudit(3)} from changed`;

const updateRetiredStatements = {
  products: updateRetiredOf("products"),
  bundles: updateRetiredOf("bundles"),
  billing_cycles: updateRetiredOf("billing_cycles"),
};

/** Retires a product, cycle or bundle with its audit entry; `retiredAt` null puts it back on sale. */
export async function updateRetired(
  db: Database,
  catalogTable: keyof typeof updateRetiredStatements,
  id: number,
  retiredAt: Date | null,
  audit: AuditRecord,
): Promise<void> {
  await db.query(updateRetiredStatements[catalogTable], [id, retiredAt, ...auditValues(audit)]);
}
