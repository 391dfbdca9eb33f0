import { recordDenial } from "#lib/db/audit/audit.ts";
import { isReadOnlyRefusal } from "#lib/db/connection/errors.ts";
import type { Permission } from "#lib/domain/roles.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { auditRecord } from "./record.ts";

/**
 * Records that the actor's role does not allow an action, such as `wallet.requestTopUp`, or what needs a permission. While
 * the database is read-only the refusal stands without an entry.
 */
export async function recordRefusal(
  ctx: ServiceContext,
  subject: `action:${string}` | `permission:${Permission}`,
): Promise<void> {
  const resellerId = "resellerId" in ctx.actor ? ctx.actor.resellerId : null;
  try {
    await recordDenial(ctx.db, auditRecord(ctx, { action: "access.deny", resellerId, subject }));
  } catch (error) {
    if (!isReadOnlyRefusal(error)) throw error;
  }
}
