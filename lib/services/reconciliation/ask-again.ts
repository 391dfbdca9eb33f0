import { findOperation } from "#lib/db/operation/operation.ts";
import { auditOpenCase, type CaseDecision, decideCase } from "#lib/db/reconciliation/action.ts";
import type { CaseDetails } from "#lib/db/reconciliation/details.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { isOpen } from "#lib/domain/operation.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { resumeOperation } from "#lib/services/operation/resume.ts";

/** Asks the provider now. A clear answer settles the operation and closes the case; otherwise only the audit log changes. */
export async function askAgain(
  ctx: ServiceContext,
  details: CaseDetails,
  decision: CaseDecision,
): Promise<"settled" | "open"> {
  requireAdmin(ctx, "cases:decide");
  const operation = details.operationId === null ? null : await findOperation(ctx.db, details.operationId);
  if (!operation) throw new DomainError("conflict", "The operation of this case no longer exists.");
  const { state } = await resumeOperation(ctx, operation);
  if (!isOpen(state)) {
    await decideCase(ctx.db, "settled", { ...decision, by: changedBy(ctx) });
    return "settled";
  }
  const { resellerId } = details;
  await auditOpenCase(ctx.db, { ...decision, resellerId, action: "reconciliation.ask_again", state });
  return "open";
}
