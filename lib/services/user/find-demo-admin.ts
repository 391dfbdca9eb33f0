import { findDemoAdminRow } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** The demonstration's admin while its printed password works, or null. */
export async function findDemoAdmin(
  ctx: ServiceContext,
): Promise<{ readonly userId: UserId; readonly email: string } | null> {
  requireAdmin(ctx, "admin:read");
  return findDemoAdminRow(ctx.db);
}
