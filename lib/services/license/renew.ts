import { findCyclePrice } from "#lib/db/catalog/cycle-price.ts";
import type { RenewalRules } from "#lib/db/renewal/renewable.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { cycleNotFound } from "#lib/services/catalog/cycle-not-found.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { type Agreement, chargeAtProvider, type OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { claimsUntil, licenseEvent, planSteps, renewalLots } from "#lib/services/operation/plan.ts";
import { agreedRenewal, raisesAutoRenew } from "#lib/services/renewals/agree.ts";
import { renewalFacts, renewalFailed, requireAutoRenew, requireSameTerm } from "#lib/services/renewals/term.ts";
import { getOwnLicense } from "./get.ts";
import { quoteCycle, requireRenewable } from "./quote-renewal.ts";
import { requireExtendable, requireIdle } from "./state-rules.ts";

export interface RenewInput extends Agreement {
  readonly licenseId: number;
  /** Becomes the current cycle; default: the current one. */
  readonly cycleId?: number | undefined;
  /** Jobs: renews only the term with this end, once. */
  readonly termEndsAt?: Date | undefined;
  /** Automatic renewals: the rules by which it was judged. */
  readonly renewalRules?: RenewalRules | undefined;
  /** An admin adopts a term that the provider has already extended: nothing is sent. */
  readonly isAdoption?: true;
}

export interface RenewalResult extends OperationResult {
  readonly licenseId: LicenseId;
  readonly newExpiry: Date;
}

/**
 * Extends a license from max(now, expires_at) by a cycle at today's price (contract 3.4). A suspension stays.
 * @throws DomainError `license_not_found`, `cycle_not_found`, `operation_in_progress`, `state_invalid` (terminated, in a
 *   bundle), `parameters_invalid` (ends more than 25 years ahead), `spending_limit_reached` (auto-renew would charge more),
 *   and those of `chargeAtProvider`.
 */
export async function renewLicense(ctx: ServiceContext, input: RenewInput): Promise<RenewalResult> {
  const resellerId = requireSpending(ctx, "licenses:write");
  const result = await chargeAtProvider(ctx, resellerId, input, async (now) => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    const selection = { cycleId: input.cycleId ?? Number(license.cycleId), keptCycleId: license.cycleId };
    const cycle = await findCyclePrice(ctx.db, resellerId, { productId: license.productId }, selection);
    if (!cycle && input.cycleId !== undefined) throw cycleNotFound("product");
    requireIdle(license);
    requireRenewable(license);
    requireSameTerm(license, input.termEndsAt);
    if (input.renewalRules) requireAutoRenew(license);
    requireExtendable(license, now);
    if (!cycle) throw cycleNotFound("product");
    const { price, currency, term } = quoteCycle(license, cycle, input.isAdoption ? license.anchoredAt : now);
    return {
      kind: "license_renew",
      price,
      currency,
      raisesAutoRenew: raisesAutoRenew(license, { price, cycleId: cycle.cycleId }),
      licenseId: license.id,
      lockLicenses: [license],
      renewalRules: input.renewalRules,
      claims: claimsUntil(term.expiresAt, now, [license]),
      plan: (operationId) => ({
        provider: license.provider,
        steps: input.isAdoption
          ? []
          : planSteps(operationId, [
              {
                action: "set_term",
                subject: { ...license, expiresAt: term.expiresAt },
                purchase: { cycle: cycle.providerCycle, previousExpiresAt: license.expiresAt },
              },
            ]),
        onSuccess: {
          licenses: [
            {
              key: license.key,
              cycleId: cycle.cycleId,
              anchoredAt: term.anchoredAt.toISOString(),
              expiresAt: term.expiresAt.toISOString(),
              ...agreedRenewal(license, { price, isAdoption: input.isAdoption }),
            },
          ],
          ...renewalLots([{ key: license.key, cores: license.cores, pricePerCore: cycle.pricePerCore }]),
          events: [licenseEvent("license.renewed", license.key, { expires_at: toTimestamp(term.expiresAt) })],
        },
        onRejection: { licenses: [], events: [renewalFailed(ctx, license, input.termEndsAt)] },
        facts: renewalFacts({ kind: "license", id: license.id }, { before: license, after: term }, input.termEndsAt),
      }),
    };
  });
  const { newExpiry } = readFacts(result.operation, "license_renew");
  return { ...result, licenseId: result.operation.license_id as LicenseId, newExpiry: new Date(newExpiry) };
}
