import { listResellerRows, type ResellerRow } from "#lib/db/reseller/reseller.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** All resellers, oldest first, for the command line. */
export async function listResellers(ctx: ServiceContext): Promise<readonly ResellerRow[]> {
  requireAdmin(ctx, "admin:read");
  const rows = await listResellerRows(ctx.db, { before: null, text: null, limit: null });
  return rows.reverse();
}
