import { type AuditFilter, type AuditRow, listAuditRows } from "#lib/db/audit/audit.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export type { AuditFilter, AuditRow } from "#lib/db/audit/audit.ts";

export interface AuditPage {
  readonly entries: readonly AuditRow[];
  /** The next page's `before`; null at the end. */
  readonly nextBefore: bigint | null;
}

/** Newest first. */
export async function listAuditLog(
  ctx: ServiceContext,
  input: { readonly filter: AuditFilter; readonly before: bigint | null; readonly limit: number },
): Promise<AuditPage> {
  requireAdmin(ctx);
  const { filter, before, limit } = input;
  const found = await listAuditRows(ctx.db, filter, { before, limit: limit + 1 });
  const entries = found.slice(0, limit);
  return { entries, nextBefore: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
}
