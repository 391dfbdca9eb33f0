import { recordDenial } from "#lib/db/audit/audit.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { auditRecord } from "./record.ts";

/** Records that the actor was not allowed to do something, such as `wallet.requestTopUp`. */
export async function recordDeniedAction(ctx: ServiceContext, action: string): Promise<void> {
  const resellerId = "resellerId" in ctx.actor ? ctx.actor.resellerId : null;
  await recordDenial(ctx.db, auditRecord(ctx, { action: "access.deny", resellerId, subject: `action:${action}` }));
}
