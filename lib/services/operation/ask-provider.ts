import type { OperationRow } from "#lib/db/operation/operation.ts";
import type { Settlement } from "#lib/db/operation/outcome.ts";
import { type PlanStep, readPlan } from "#lib/domain/operation-plan.ts";
import { LOST_AFTER_MS, purchaseRetryKey } from "#lib/domain/retry-key.ts";
import type { LicenseProvider, ProviderLookUp } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { revertSteps } from "./execute-plan.ts";
import type { Lease } from "./lease.ts";
import { reportOtherCharges } from "./report-charges.ts";

export type Verdict =
  | { readonly kind: "clear"; readonly settlement: Omit<Settlement, "reconciled"> }
  | { readonly kind: "unclear" }
  /** Another process has claimed the operation. */
  | { readonly kind: "withheld" };

/**
 * Asks what became of an operation. All steps done: success. Any step rejected, or unseen and voided: reverts the steps
 * done; the operation is rejected. Steps after one that the provider does not revert are sent again instead.
 */
export async function askProvider(ctx: ServiceContext, operation: OperationRow, lease: Lease): Promise<Verdict> {
  const plan = readPlan(operation);
  const provider = await ctx.providers.get(plan.provider);
  if (!provider) return { kind: "unclear" };
  // Later, what left no trace is rejected without asking again.
  const maySend = () => lease.isHeld() && mayStillArrive(ctx, operation);
  const done: PlanStep[] = [];
  const references: Record<string, string> = {};
  let rejection: string | null = null;
  for (const step of plan.steps) {
    if (!(await lease.confirm())) return { kind: "withheld" };
    const isToBeCompleted: boolean = rejection === null && done.some(({ undo }) => undo && provider.refusalOf?.(undo));
    const answer: ProviderLookUp = isToBeCompleted
      ? await completeStep(ctx, provider, step, operation, lease)
      : await provider.lookUp(step.request, { voidIfUnseen: true, maySend });
    switch (answer.kind) {
      case "unreachable":
        return { kind: "unclear" };
      case "succeeded":
        done.push(step);
        if (answer.providerReference !== undefined) references[step.request.reference] = answer.providerReference;
        break;
      case "rejected":
        rejection ??= answer.message;
        break;
      case "not_found":
        if (!answer.isVoid && mayStillArrive(ctx, operation)) return { kind: "unclear" };
        rejection ??= "The provider never received the request.";
        break;
      default:
        return answer satisfies never;
    }
  }
  if (rejection === null) return { kind: "clear", settlement: { succeeded: true, failureMessage: null, references } };
  const reverted = await revertSteps(ctx, provider, done, references, lease, sentAt(operation));
  switch (reverted.kind) {
    case "succeeded":
      return { kind: "clear", settlement: { succeeded: false, failureMessage: rejection, references: {} } };
    case "unknown":
      return { kind: "unclear" };
    case "withheld":
      return reverted;
    default:
      return reverted satisfies never;
  }
}

/**
 * Sends a step that left no trace once its first request counts as lost, under the same idempotency key: the provider
 * then carries it out once. Another key follows only a rejection that the provider stores and repeats. Any other, such
 * as one for lack of money, leaves the key usable: a request on its way could renew a second time, which nobody refunds.
 * Meanwhile the operator can renew it at the provider, which is seen here.
 */
async function completeStep(
  ctx: ServiceContext,
  provider: LicenseProvider,
  { request }: PlanStep,
  operation: OperationRow,
  lease: Lease,
): Promise<ProviderLookUp> {
  const seen = await provider.lookUp(request);
  if (seen.kind !== "not_found" || mayStillArrive(ctx, operation)) return seen;
  const first = await provider.execute(request, lease.isHeld);
  const isFinal = first.kind === "rejected" && first.isReplayed === true;
  const key = isFinal ? purchaseRetryKey(request.idempotencyKey, sentForMs(ctx, operation)) : null;
  const outcome = key === null ? first : await provider.execute({ ...request, idempotencyKey: key }, lease.isHeld);
  if (outcome.kind !== "succeeded") return { kind: "unreachable", message: "The provider did not complete it." };
  if (outcome.charged) await reportOtherCharges(ctx, provider.name, [{ request, charged: outcome.charged }]);
  return outcome;
}

function mayStillArrive(ctx: ServiceContext, operation: OperationRow): boolean {
  return sentForMs(ctx, operation) < LOST_AFTER_MS;
}

function sentForMs(ctx: ServiceContext, operation: OperationRow): number {
  return ctx.now().getTime() - sentAt(operation).getTime();
}

function sentAt({ sent_at, created_at }: OperationRow): Date {
  return sent_at ?? created_at;
}
