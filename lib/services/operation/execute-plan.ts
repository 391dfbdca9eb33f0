import type { OperationPlan, PlanStep } from "#lib/domain/operation.ts";
import type { LicenseProvider, ProviderOutcome } from "#lib/ports/license-provider.ts";
import type { ProviderRegistry } from "#lib/ports/provider-registry.ts";

/** License key → the provider's own name of the license, as far as it has told one. */
export type References = Readonly<Record<string, string>>;

export type PlanOutcome =
  | { readonly kind: "succeeded"; readonly references: References }
  | Exclude<ProviderOutcome, { readonly kind: "succeeded" }>;

/**
 * Sends a plan's steps in order. When a later one is refused, those already done are taken back at the provider and
 * the answer is the refusal (decisions 3.10). What is not a clear answer stops everything: the reconciler asks.
 */
export async function executePlan(providers: ProviderRegistry, plan: OperationPlan): Promise<PlanOutcome> {
  const provider = await providers.get(plan.provider);
  if (!provider) return { kind: "not_sent", message: `No provider named ${plan.provider} is set up.` };
  const references: Record<string, string> = {};
  for (const [index, { request }] of plan.steps.entries()) {
    const outcome = await provider.execute(request);
    if (outcome.kind === "unknown") return outcome;
    if (outcome.kind !== "succeeded") {
      const undone = await undoSteps(provider, plan.steps.slice(0, index), references);
      return undone.kind === "succeeded" ? outcome : { kind: "unknown", message: undone.message };
    }
    if (outcome.providerReference !== undefined) references[request.reference] = outcome.providerReference;
  }
  return { kind: "succeeded", references };
}

/** Takes steps back, the last first. Anything but success leaves the outcome unknown: some of it may still be done. */
export async function undoSteps(
  provider: LicenseProvider,
  steps: readonly PlanStep[],
  references: References,
): Promise<{ readonly kind: "succeeded" } | { readonly kind: "failed"; readonly message: string }> {
  for (const { undo } of steps.toReversed()) {
    if (!undo) continue;
    const request = { ...undo, providerReference: references[undo.reference] ?? undo.providerReference };
    const outcome = await provider.execute(request);
    if (outcome.kind === "succeeded") continue;
    // An answer that was lost says nothing of the work: the provider is asked before the step counts as still done.
    if (outcome.kind === "unknown" && (await provider.lookUp(request)).kind === "succeeded") continue;
    return { kind: "failed", message: `could not be taken back: ${outcome.message}` };
  }
  return { kind: "succeeded" };
}
