import type { DomainError } from "#lib/domain/errors.ts";
import type { OperationPlan, PlanStep } from "#lib/domain/operation-plan.ts";
import { isPurchase, type ProviderRequest } from "#lib/domain/provider-request.ts";
import { retryKey } from "#lib/domain/retry-key.ts";
import type { LicenseProvider, ProviderCharge, ProviderOutcome, ProviderShare } from "#lib/ports/license-provider.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { providerBusy, providerUnavailable } from "#lib/services/provider/get.ts";
import type { Lease } from "./lease.ts";

/** License key → the provider's reference, if it returned one. */
export type References = Readonly<Record<string, string>>;

export type PlanOutcome =
  | { readonly kind: "succeeded"; readonly references: References; readonly charges: readonly PlanCharge[] }
  /** `isReverted`: the provider did a part of it. Its answer to the rest may reveal who has an address (contract 1.12). */
  | (Extract<ProviderOutcome, { readonly kind: "rejected" }> & { readonly isReverted?: boolean })
  | Exclude<ProviderOutcome, { readonly kind: "succeeded" | "rejected" }>;

/** What the provider charged us for a purchase. */
export interface PlanCharge {
  readonly request: ProviderRequest;
  readonly charged: ProviderCharge;
}

/** How long a started plan waits for the database to confirm its lease. */
const CONFIRM_WITHIN_MS = 10_000;
/** How soon a turn may come when many wait for one. */
const CROWDED_FOR_MS = 5_000;
const CROWDED = "Too many requests wait for the provider.";
const REVERTED = "The provider carried out only a part of it, which was reverted.";

/**
 * Sends a plan's steps in order when it is the reseller's turn, unless one of them cannot be carried out. If one is not,
 * reverts the steps already done and returns a rejection (contract 3.10): the provider refunds no purchase, so it is asked
 * about all of them first. Stops at an unclear answer, which the reconciler resolves. `withheld`: another process has
 * claimed the operation.
 */
export async function executePlan(
  ctx: ServiceContext,
  resellerId: number,
  plan: OperationPlan,
  lease: Lease,
): Promise<PlanOutcome> {
  const provider = await ctx.providers.get(plan.provider);
  if (!provider) return { kind: "not_sent", message: `No provider named ${plan.provider} is set up.` };
  const refusal = plan.steps.map(({ request }) => provider.refusalOf?.(request) ?? null).find((one) => one !== null);
  if (refusal !== undefined) return { kind: "rejected", message: refusal };
  const send = () => sendSteps(ctx, provider, plan, lease);
  // For all steps at once: one that got no turn would revert those before it.
  if (!provider.turns) return send();
  const share = shareOf(resellerId, provider, plan);
  const outcome = await provider.turns.take(share, send);
  if (outcome !== null && outcome.kind !== "not_sent") return outcome;
  const retryAfterMs = provider.turns.usedUpForMs(share);
  if (outcome === null) return { kind: "not_sent", message: CROWDED, retryAfterMs: retryAfterMs || CROWDED_FOR_MS };
  return retryAfterMs > 0 ? { ...outcome, retryAfterMs } : outcome;
}

/** Why nothing would be sent now, or null. */
export async function findUnavailability(
  ctx: ServiceContext,
  resellerId: number,
  plan: OperationPlan,
): Promise<DomainError | null> {
  const provider = await ctx.providers.get(plan.provider);
  if (!provider || provider.health?.().accepts === false) return providerUnavailable();
  const retryAfterMs = provider.turns?.usedUpForMs(shareOf(resellerId, provider, plan)) ?? 0;
  return retryAfterMs > 0 ? providerBusy(retryAfterMs) : null;
}

function shareOf(resellerId: number, provider: LicenseProvider, plan: OperationPlan): ProviderShare {
  return { resellerId, requests: plan.steps.length + purchasesToCheck(provider, plan).length };
}

/** The provider refunds no purchase, so it is asked about all of several steps first. */
function purchasesToCheck(provider: LicenseProvider, { steps }: OperationPlan): readonly ProviderRequest[] {
  return provider.check && steps.length > 1 ? steps.map(({ request }) => request).filter(isPurchase) : [];
}

async function sendSteps(
  ctx: ServiceContext,
  provider: LicenseProvider,
  plan: OperationPlan,
  lease: Lease,
): Promise<PlanOutcome> {
  const { check } = provider;
  const purchases = purchasesToCheck(provider, plan);
  if (check && purchases.length > 0) {
    const checked = await sendWhileHeld(ctx, lease, (maySend) => check(purchases, maySend));
    if (checked.kind !== "succeeded") return checked;
  }
  const references: Record<string, string> = {};
  const charges: PlanCharge[] = [];
  for (const [index, { request }] of plan.steps.entries()) {
    const outcome = await sendWhileHeld(ctx, lease, (maySend) => provider.execute(request, maySend));
    if (outcome.kind === "unknown" || outcome.kind === "withheld") return outcome;
    if (outcome.kind !== "succeeded") {
      const reverted = await revertSteps(ctx, provider, plan.steps.slice(0, index), references, lease);
      if (reverted.kind !== "succeeded") return reverted;
      // `not_sent` would promise that nothing was sent (contract 3.13).
      return index > 0 && outcome.kind === "not_sent"
        ? { kind: "rejected", message: REVERTED, isReverted: true }
        : outcome;
    }
    const { providerReference, charged } = outcome;
    if (providerReference !== undefined) references[request.reference] = providerReference;
    if (charged) charges.push({ request, charged });
  }
  return { kind: "succeeded", references, charges };
}

/**
 * Reverts steps, the last first, and shows the operator what was bought for nothing. `unknown`: some may still be in
 * effect.
 * @param sentAt when the operation was sent, if not just now: what was rejected is tried again
 */
export async function revertSteps(
  ctx: ServiceContext,
  provider: LicenseProvider,
  steps: readonly PlanStep[],
  references: References,
  lease: Lease,
  sentAt: Date | null = null,
): Promise<Extract<ProviderOutcome, { readonly kind: "succeeded" | "unknown" | "withheld" }>> {
  for (const { request: done, undo } of steps.toReversed()) {
    if (!undo) continue;
    const first = { ...undo, providerReference: references[undo.reference] ?? undo.providerReference };
    const send = (request: ProviderRequest) =>
      sendWhileHeld(ctx, lease, (maySend) => provider.execute(request, maySend));
    const answer = await send(first);
    const key =
      answer.kind === "rejected" && sentAt
        ? retryKey(first.idempotencyKey, ctx.now().getTime() - sentAt.getTime())
        : null;
    const request = key === null ? first : { ...first, idempotencyKey: key };
    const outcome = key === null ? answer : await send(request);
    if (outcome.kind === "withheld") return outcome;
    // An answer may have been lost after the work: ask before the step counts as not reverted.
    const isReverted =
      outcome.kind === "succeeded" ||
      (outcome.kind !== "not_sent" && (await provider.lookUp(request)).kind === "succeeded");
    if (!isReverted) return { kind: "unknown", message: `could not be reverted: ${outcome.message}` };
    if (isPurchase(done)) {
      const license = request.providerReference ?? request.reference;
      provider.reportProblem?.(
        `Bought and reverted, which is not refunded: license ${license} on ${request.ipAddress}.`,
      );
    }
  }
  return { kind: "succeeded" };
}

/** Sends one request, unless another process has claimed the operation meanwhile. @throws DomainError `unavailable` */
async function sendWhileHeld(
  ctx: ServiceContext,
  lease: Lease,
  send: (maySend: () => boolean) => Promise<ProviderOutcome>,
): Promise<ProviderOutcome> {
  while (lease.isHeld() || (await ctx.leases.persist(lease.confirm, { forMs: CONFIRM_WITHIN_MS }))) {
    const outcome = await send(lease.isHeld);
    if (outcome.kind !== "withheld") return outcome;
  }
  return { kind: "withheld" };
}
