import { findCyclePrice, findProviderCycles } from "#lib/db/catalog/cycle-price.ts";
import { listMembers } from "#lib/db/license/license.ts";
import type { RenewalRules } from "#lib/db/renewal/renewable.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { bundleRenewalPrice } from "#lib/domain/pricing.ts";
import { extendTerm } from "#lib/domain/term.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { cycleNotFound } from "#lib/services/catalog/cycle-not-found.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { requireExtendable, requireIdle, requireProvisioned } from "#lib/services/license/state-rules.ts";
import { type Agreement, chargeAtProvider, type OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { bundleEvent, claimsUntil, licenseEvent, planSteps, renewalLots } from "#lib/services/operation/plan.ts";
import { agreedRenewal, raisesAutoRenew } from "#lib/services/renewals/agree.ts";
import { renewalFacts, renewalFailed, requireAutoRenew, requireSameTerm } from "#lib/services/renewals/term.ts";
import { getOwnBundleInstance } from "./get.ts";
import { findMetering } from "./member-metering.ts";
import { memberProvider } from "./member-provider.ts";
import { plannedMembers } from "./planned-members.ts";

export interface BundleRenewalResult extends OperationResult {
  readonly bundleInstanceId: number;
  readonly newExpiry: Date;
  /** Of the renewed licenses. */
  readonly licenseIds: readonly LicenseId[];
}

/**
 * Extends a bundle instance and all its members by a cycle, all or nothing (contract 3.10, terms as in 3.4).
 * @throws DomainError `bundle_instance_not_found`, `cycle_not_found`, `operation_in_progress`, `state_invalid`,
 *   `parameters_invalid` (ends more than 25 years ahead), `spending_limit_reached` (auto-renew would charge more), and
 *   those of `chargeAtProvider`.
 */
export async function renewBundle(
  ctx: ServiceContext,
  input: Agreement & {
    readonly bundleInstanceId: number;
    readonly cycleId?: number | undefined;
    /** Jobs: renews only the term with this end, once. */
    readonly termEndsAt?: Date | undefined;
    /** Automatic renewals: the rules by which it was judged. */
    readonly renewalRules?: RenewalRules | undefined;
    /** An admin adopts a term that the provider has already extended: nothing is sent. */
    readonly isAdoption?: true;
  },
): Promise<BundleRenewalResult> {
  const resellerId = requireSpending(ctx, "bundles:write");
  const result = await chargeAtProvider(ctx, resellerId, input, async (now) => {
    const instance = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
    const { members } = instance;
    const cycle = await findCyclePrice(
      ctx.db,
      resellerId,
      { bundleId: instance.bundleId },
      { cycleId: input.cycleId ?? instance.cycleId, keptCycleId: instance.cycleId },
    );
    if (!cycle && input.cycleId !== undefined) throw cycleNotFound("bundle");
    requireIdle(instance, ...members);
    requireProvisioned(instance, "bundle");
    requireSameTerm(instance, input.termEndsAt);
    if (input.renewalRules) requireAutoRenew(instance);
    requireExtendable(instance, now);
    if (!cycle) throw cycleNotFound("bundle");
    const metering = await Promise.all(members.map((member) => findMetering(ctx, resellerId, member, cycle.months)));
    const price = bundleRenewalPrice({ price: cycle.price, members: metering });
    const productIds = members.map(({ productId }) => productId);
    const providerCycles = await findProviderCycles(ctx.db, productIds, cycle.months);
    const term = extendTerm(instance, cycle.months, input.isAdoption ? instance.anchoredAt : now);
    const termEffect = { anchoredAt: term.anchoredAt.toISOString(), expiresAt: term.expiresAt.toISOString() };
    const expires_at = toTimestamp(term.expiresAt);
    return {
      kind: "bundle_renew",
      price,
      currency: cycle.currency,
      raisesAutoRenew: raisesAutoRenew(instance, { price, cycleId: cycle.cycleId }),
      bundleInstance: instance,
      lockLicenses: members,
      renewalRules: input.renewalRules,
      claims: claimsUntil(term.expiresAt, now, members),
      plan: (operationId) => ({
        provider: memberProvider(members),
        steps: input.isAdoption
          ? []
          : planSteps(
              operationId,
              members.map((member) => ({
                action: "set_term",
                subject: { ...member, expiresAt: term.expiresAt },
                purchase: { cycle: providerCycles.get(member.productId) ?? null, previousExpiresAt: member.expiresAt },
                undo: { action: "set_term", subject: member },
              })),
            ),
        onSuccess: {
          licenses: members.map(({ key }) => ({ key, ...termEffect })),
          bundleInstance: {
            cycleId: cycle.cycleId,
            ...termEffect,
            ...agreedRenewal(instance, { price, isAdoption: input.isAdoption }),
          },
          ...renewalLots(metering),
          events: [
            ...members.map(({ key }) => licenseEvent("license.renewed", key, { expires_at })),
            bundleEvent("bundle.renewed", { expires_at }),
          ],
        },
        onRejection: {
          licenses: [],
          events: members.map((member) => renewalFailed(ctx, member, input.termEndsAt)),
        },
        facts: renewalFacts({ kind: "bundle", id: instance.id }, { before: instance, after: term }, input.termEndsAt),
      }),
    };
  });
  const members = plannedMembers(result.operation, await listMembers(ctx.db, resellerId, input.bundleInstanceId));
  return {
    ...result,
    bundleInstanceId: input.bundleInstanceId,
    newExpiry: new Date(readFacts(result.operation, "bundle_renew").newExpiry),
    licenseIds: members.map(({ id }) => id),
  };
}
