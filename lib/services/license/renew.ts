import { findCyclePrice } from "#lib/db/catalog.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import { formatMoney } from "#lib/domain/money.ts";
import { termName } from "#lib/domain/renewal.ts";
import { toTimestamp } from "#lib/domain/times.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changeAtProvider, type OperationResult } from "#lib/services/operation/change-at-provider.ts";
import { licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { renewalFailed, requireSameTerm } from "#lib/services/renewals/term.ts";
import { getOwnLicense } from "./get.ts";
import { renewalQuote, requireRenewable } from "./quote-renewal.ts";

export interface RenewInput {
  readonly licenseId: number;
  /** Becomes the current cycle; the current one unless told. */
  readonly cycleId?: number | undefined;
  /** For renewals that nobody asked for: only this term, and only once. */
  readonly termEndsAt?: Date | undefined;
  /** What it was said to cost, in minor units: at another price it is not renewed. */
  readonly agreedPrice?: bigint | undefined;
}

export interface RenewalResult extends OperationResult {
  readonly licenseId: LicenseId;
  readonly newExpiry: Date;
}

/**
 * Extends a license from max(now, expires_at) by a cycle at today's price (decisions 3.4). Suspended stays suspended.
 * @throws DomainError `license_not_found`, `state_invalid` (terminated, pending, in a bundle), `cycle_not_found`,
 *   `conflict` (another price than agreed), and those of `changeAtProvider`.
 */
export async function renewLicense(ctx: ServiceContext, input: RenewInput): Promise<RenewalResult> {
  const resellerId = requireReseller(ctx, "licenses:write");
  const result = await changeAtProvider(ctx, resellerId, async () => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    requireRenewable(license);
    requireSameTerm(license, input.termEndsAt);
    const wanted = { cycleId: input.cycleId ?? Number(license.cycleId) };
    const cycle = await findCyclePrice(ctx.db, resellerId, { productId: license.productId }, wanted);
    if (!cycle) throw new DomainError("cycle_not_found", "This product has no such billing cycle.");
    const { price, currency, term } = renewalQuote(license, cycle, ctx.now());
    if (input.agreedPrice !== undefined && input.agreedPrice !== price) {
      throw new DomainError("conflict", `The price has changed to ${formatMoney(price, currency)} meanwhile.`);
    }
    return {
      kind: "license_renew",
      price,
      currency,
      licenseId: license.id,
      lockLicenses: [license],
      claims: [
        {
          license_id: license.id,
          ip_address: license.ipAddress,
          valid_from: ctx.now(),
          valid_until: term.expiresAt,
        },
      ],
      plan: (operationId) => ({
        provider: license.provider,
        steps: planSteps(operationId, [
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
            },
          ],
          events: [licenseEvent("license.renewed", license.key, { expires_at: toTimestamp(term.expiresAt) })],
        },
        onRejection: { licenses: [], events: [renewalFailed(license, input.termEndsAt)] },
        facts: {
          newExpiry: term.expiresAt.toISOString(),
          ...(input.termEndsAt ? { renewsTerm: termName({ kind: "license", id: license.id }, input.termEndsAt) } : {}),
        },
      }),
    };
  });
  const { license_id, plan } = result.operation;
  return { ...result, licenseId: license_id as LicenseId, newExpiry: new Date(String(plan.facts.newExpiry)) };
}
