import { findDemoAdminRow } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/**
 * The admin that the demonstration made, while they can sign in with the password that was printed; null: there is none.
 * @throws DomainError `permission_denied`
 */
export async function findDemoAdmin(
  ctx: ServiceContext,
): Promise<{ readonly userId: UserId; readonly email: string } | null> {
  requireAdmin(ctx);
  return findDemoAdminRow(ctx.db);
}
