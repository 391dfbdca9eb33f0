import { findOperation, type OperationRow, type Settlement, settleOperation } from "#lib/db/operation.ts";
import { claimOpenOperation, claimOpenOperations } from "#lib/db/operation-lease.ts";
import { isOpen, type PlanStep } from "#lib/domain/operation.ts";
import type { LicenseProvider } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { undoSteps } from "./execute-plan.ts";

const BATCH_SIZE = 50;

export interface ReconciliationSummary {
  readonly asked: number;
  readonly succeeded: number;
  readonly rejected: number;
  readonly stillOpen: number;
}

/**
 * Settles what the provider left unclear, also operations whose process died: asks it by our reference, once each.
 * @param unknownNow also those that were asked about a moment ago
 */
export async function reconcileOperations(
  ctx: ServiceContext,
  { unknownNow }: { readonly unknownNow: boolean },
): Promise<ReconciliationSummary> {
  requireAdmin(ctx);
  const summary = { asked: 0, succeeded: 0, rejected: 0, stillOpen: 0 };
  const asked: string[] = [];
  for (;;) {
    const now = ctx.now();
    const leaseUntil = new Date(now.getTime() + ctx.settings.operationLeaseMs);
    const claimed = await claimOpenOperations(ctx.db, {
      now,
      leaseUntil,
      unknownNow,
      except: asked,
      limit: BATCH_SIZE,
    });
    for (const operation of claimed) {
      const { state } = await reconcileOperation(ctx, operation);
      asked.push(operation.id);
      if (state === "succeeded") summary.succeeded += 1;
      else if (state === "rejected") summary.rejected += 1;
      else summary.stillOpen += 1;
    }
    summary.asked = asked.length;
    if (claimed.length < BATCH_SIZE) return summary;
  }
}

/** The same for one operation, unless it has ended or somebody else is at it. */
export async function reconcileOpenOperation(
  ctx: ServiceContext,
  { operationId }: { readonly operationId: string },
): Promise<void> {
  requireAdmin(ctx);
  const now = ctx.now();
  const leaseUntil = new Date(now.getTime() + ctx.settings.operationLeaseMs);
  const operation = await claimOpenOperation(ctx.db, operationId, { now, leaseUntil });
  if (operation) await reconcileOperation(ctx, operation);
}

/**
 * Asks the provider what became of one operation and settles it when the answer is clear. All steps done: success.
 * Any step refused, or never seen although the caller's lease has run out: those done are taken back, and it is
 * released. Returns the operation as it is afterwards; an operation that is not open is returned as it is.
 */
export async function reconcileOperation(ctx: ServiceContext, operation: OperationRow): Promise<OperationRow> {
  if (!isOpen(operation.state)) return operation;
  const provider = await ctx.providers.get(operation.plan.provider);
  const verdict = provider ? await askProvider(provider, operation) : null;
  if (verdict === null) return operation;
  const settled = await settleOperation(ctx.db, operation.id, { ...verdict, reconciled: true }, ctx.now());
  return settled ?? (await findOperation(ctx.db, operation.id)) ?? operation;
}

type Verdict = Omit<Settlement, "reconciled">;

/** Null: still unclear. */
async function askProvider(provider: LicenseProvider, { plan }: OperationRow): Promise<Verdict | null> {
  const done: PlanStep[] = [];
  const references: Record<string, string> = {};
  let refusal: string | null = null;
  for (const step of plan.steps) {
    const answer = await provider.lookUp(step.request);
    if (answer.kind === "unreachable") return null;
    if (answer.kind === "succeeded") {
      done.push(step);
      if (answer.providerReference !== undefined) references[step.request.reference] = answer.providerReference;
    } else refusal ??= answer.kind === "rejected" ? answer.message : "The provider never received the request.";
  }
  if (refusal === null) return { succeeded: true, failureMessage: null, references };
  const undone = await undoSteps(provider, done, references);
  return undone.kind === "succeeded" ? { succeeded: false, failureMessage: refusal, references: {} } : null;
}
