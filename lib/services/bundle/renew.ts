import { findCyclePrice, findProviderCycles } from "#lib/db/catalog.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { formatMoney } from "#lib/domain/money.ts";
import { bundleRenewalPrice } from "#lib/domain/pricing.ts";
import { termName } from "#lib/domain/renewal.ts";
import { extendTerm } from "#lib/domain/term.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider, type OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { bundleEvent, licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { renewalFailed, requireSameTerm } from "#lib/services/renewals/term.ts";
import { type BundleInstance, getOwnBundleInstance, requireProvisionedInstance } from "./get.ts";
import { findMetering } from "./member-metering.ts";
import { memberProvider } from "./member-provider.ts";

export interface BundleRenewalResult extends OperationResult {
  readonly instance: BundleInstance;
  readonly newExpiry: Date;
}

/**
 * Extends a bundle instance and all its members by a cycle, all or nothing (decisions 3.10, terms as in 3.4).
 * @throws DomainError `bundle_instance_not_found`, `state_invalid`, `cycle_not_found`, `conflict` (another price than
 *   agreed), and those of `changeAtProvider`.
 */
export async function renewBundle(
  ctx: ServiceContext,
  input: {
    readonly bundleInstanceId: number;
    readonly cycleId?: number | undefined;
    /** For renewals that nobody asked for: only this term, and only once. */
    readonly termEndsAt?: Date | undefined;
    /** What it was said to cost, in minor units: at another price it is not renewed. */
    readonly agreedPrice?: bigint | undefined;
  },
): Promise<BundleRenewalResult> {
  const resellerId = requireReseller(ctx, "bundles:write");
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const instance = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
    const { members } = instance;
    requireProvisionedInstance(instance);
    requireSameTerm(instance, input.termEndsAt);
    const cycle = await findCyclePrice(
      ctx.db,
      resellerId,
      { bundleId: instance.bundleId },
      { cycleId: input.cycleId ?? instance.cycleId },
    );
    if (!cycle) throw new DomainError("cycle_not_found", "This bundle has no such billing cycle.");
    const metering = await Promise.all(members.map((member) => findMetering(ctx, resellerId, member, cycle.months)));
    const price = bundleRenewalPrice({ price: cycle.price, members: metering });
    if (input.agreedPrice !== undefined && input.agreedPrice !== price) {
      throw new DomainError("conflict", `The price has changed to ${formatMoney(price, cycle.currency)} meanwhile.`);
    }
    const productIds = members.map(({ productId }) => productId);
    const providerCycles = await findProviderCycles(ctx.db, productIds, cycle.months);
    const term = extendTerm(instance, cycle.months, ctx.now());
    const termEffect = { anchoredAt: term.anchoredAt.toISOString(), expiresAt: term.expiresAt.toISOString() };
    const expires_at = toTimestamp(term.expiresAt);
    return {
      kind: "bundle_renew",
      price,
      currency: cycle.currency,
      bundleInstanceId: instance.id,
      lockInstanceId: instance.id,
      lockLicenses: members,
      claims: members.map(({ id }) => ({
        license_id: id,
        ip_address: instance.ipAddress,
        valid_from: ctx.now(),
        valid_until: term.expiresAt,
      })),
      plan: (operationId) => ({
        provider: memberProvider(members),
        steps: planSteps(
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
          bundleInstance: { cycleId: cycle.cycleId, ...termEffect },
          events: [
            ...members.map(({ key }) => licenseEvent("license.renewed", key, { expires_at })),
            bundleEvent("bundle.renewed", { expires_at }),
          ],
        },
        onRejection: {
          licenses: [],
          events: members.map((member) => renewalFailed(member, input.termEndsAt)),
        },
        facts: {
          newExpiry: termEffect.expiresAt,
          ...(input.termEndsAt ? { renewsTerm: termName({ kind: "bundle", id: instance.id }, input.termEndsAt) } : {}),
        },
      }),
    };
  });
  const instance = await getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
  return { ...result, instance, newExpiry: new Date(String(result.operation.plan.facts.newExpiry)) };
}
