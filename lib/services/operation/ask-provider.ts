import type { OperationRow } from "#lib/db/operation/operation.ts";
import type { Settlement } from "#lib/db/operation/outcome.ts";
import type { PlanStep } from "#lib/domain/operation.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { undoSteps } from "./execute-plan.ts";
import type { Lease } from "./lease.ts";

/**
 * A request that a provider has not seen may still be on its way from a process that is held up. Where the provider
 * cannot be made to refuse it, so long passes before it counts as lost (docs/providers.md).
 */
const LOST_AFTER_MS = 10 * 60_000;

export type Verdict =
  | { readonly kind: "clear"; readonly settlement: Omit<Settlement, "reconciled"> }
  | { readonly kind: "unclear" }
  /** Another claim has replaced this one. */
  | { readonly kind: "withheld" };

/**
 * What became of an operation. All steps done: success. Any step refused, or never seen and voided: those done are taken
 * back, and it was refused.
 */
export async function askProvider(ctx: ServiceContext, operation: OperationRow, lease: Lease): Promise<Verdict> {
  const { plan } = operation;
  const provider = await ctx.providers.get(plan.provider);
  if (!provider) return { kind: "unclear" };
  const done: PlanStep[] = [];
  const references: Record<string, string> = {};
  let refusal: string | null = null;
  for (const step of plan.steps) {
    if (!(await lease.confirm())) return { kind: "withheld" };
    const answer = await provider.lookUp(step.request, { voidIfUnseen: true });
    switch (answer.kind) {
      case "unreachable":
        return { kind: "unclear" };
      case "succeeded":
        done.push(step);
        if (answer.providerReference !== undefined) references[step.request.reference] = answer.providerReference;
        break;
      case "rejected":
        refusal ??= answer.message;
        break;
      case "not_found":
        if (!answer.isVoid && mayStillArrive(ctx, operation)) return { kind: "unclear" };
        refusal ??= "The provider never received the request.";
        break;
      default:
        return answer satisfies never;
    }
  }
  if (refusal === null) return { kind: "clear", settlement: { succeeded: true, failureMessage: null, references } };
  const undone = await undoSteps(ctx, provider, done, references, lease);
  switch (undone.kind) {
    case "succeeded":
      return { kind: "clear", settlement: { succeeded: false, failureMessage: refusal, references: {} } };
    case "unknown":
      return { kind: "unclear" };
    case "withheld":
      return undone;
    default:
      return undone satisfies never;
  }
}

function mayStillArrive(ctx: ServiceContext, { sent_at, created_at }: OperationRow): boolean {
  return ctx.now().getTime() - (sent_at ?? created_at).getTime() < LOST_AFTER_MS;
}
