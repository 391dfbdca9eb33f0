import type { OperationPlan, PlanStep } from "#lib/domain/operation-plan.ts";
import type { ProviderRequest } from "#lib/domain/provider-request.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { Lease } from "./lease.ts";

/** License key → the provider's reference, if it returned one. */
export type References = Readonly<Record<string, string>>;

export type PlanOutcome =
  | { readonly kind: "succeeded"; readonly references: References }
  | Exclude<ProviderOutcome, { readonly kind: "succeeded" }>;

/** How long a started plan waits for the database to confirm its lease. */
const CONFIRM_WITHIN_MS = 10_000;

/**
 * Sends a plan's steps in order, unless one of them cannot be carried out. If one is rejected, reverts the steps already
 * done and returns the rejection (contract 3.10). Stops at an unclear answer, which the reconciler resolves. `withheld`:
 * another process has claimed the operation.
 */
export async function executePlan(ctx: ServiceContext, plan: OperationPlan, lease: Lease): Promise<PlanOutcome> {
  const provider = await ctx.providers.get(plan.provider);
  if (!provider) return { kind: "not_sent", message: `No provider named ${plan.provider} is set up.` };
  const refusal = plan.steps.map(({ request }) => provider.refusalOf?.(request) ?? null).find((one) => one !== null);
  if (refusal !== undefined) return { kind: "rejected", message: refusal };
  const references: Record<string, string> = {};
  for (const [index, { request }] of plan.steps.entries()) {
    const outcome = await sendWhileHeld(ctx, provider, request, lease);
    if (outcome.kind === "unknown" || outcome.kind === "withheld") return outcome;
    if (outcome.kind !== "succeeded") {
      const reverted = await revertSteps(ctx, provider, plan.steps.slice(0, index), references, lease);
      return reverted.kind === "succeeded" ? outcome : reverted;
    }
    if (outcome.providerReference !== undefined) references[request.reference] = outcome.providerReference;
  }
  return { kind: "succeeded", references };
}

/** Reverts steps, the last first. `unknown`: some may still be in effect. */
export async function revertSteps(
  ctx: ServiceContext,
  provider: LicenseProvider,
  steps: readonly PlanStep[],
  references: References,
  lease: Lease,
): Promise<Extract<ProviderOutcome, { readonly kind: "succeeded" | "unknown" | "withheld" }>> {
  for (const { undo } of steps.toReversed()) {
    if (!undo) continue;
    const request = { ...undo, providerReference: references[undo.reference] ?? undo.providerReference };
    const outcome = await sendWhileHeld(ctx, provider, request, lease);
    if (outcome.kind === "succeeded") continue;
    if (outcome.kind === "withheld") return outcome;
    // The answer may have been lost after the work: ask before the step counts as not reverted.
    if (outcome.kind === "unknown" && (await provider.lookUp(request)).kind === "succeeded") continue;
    return { kind: "unknown", message: `could not be reverted: ${outcome.message}` };
  }
  return { kind: "succeeded" };
}

/** Sends one request, unless another process has claimed the operation meanwhile. @throws DomainError `unavailable` */
async function sendWhileHeld(
  ctx: ServiceContext,
  provider: LicenseProvider,
  request: ProviderRequest,
  lease: Lease,
): Promise<ProviderOutcome> {
  while (lease.isHeld() || (await ctx.leases.persist(lease.confirm, { forMs: CONFIRM_WITHIN_MS }))) {
    const outcome = await provider.execute(request, lease.isHeld);
    if (outcome.kind !== "withheld") return outcome;
  }
  return { kind: "withheld" };
}
