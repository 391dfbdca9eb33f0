import { type ResellerRow, resellerListing } from "#lib/db/reseller/reseller.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** All resellers, oldest first, for the command line. */
export async function listResellers(ctx: ServiceContext): Promise<readonly ResellerRow[]> {
  requireAdmin(ctx, "admin:read");
  const { list } = resellerListing(ctx.db, { text: null });
  const rows = await list({ before: null, limit: Number.POSITIVE_INFINITY });
  return rows.reverse();
}
