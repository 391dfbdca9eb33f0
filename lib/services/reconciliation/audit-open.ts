import { auditCase, type CaseDecision } from "#lib/db/reconciliation/action.ts";
import type { CaseDetails } from "#lib/db/reconciliation/details.ts";
import type { AuditAction } from "#lib/domain/audit.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/** Records an action that has left its case open, with its outcome so far. */
export async function auditOpenCase(
  ctx: ServiceContext,
  { resellerId }: Pick<CaseDetails, "resellerId">,
  decision: CaseDecision,
  action: AuditAction,
  state: string,
): Promise<void> {
  requireAdmin(ctx, "cases:decide");
  await auditCase(ctx.db, { ...decision, resellerId, action, data: { state } });
}
