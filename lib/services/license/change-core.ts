import { getWallet } from "#lib/db/wallet/wallet.ts";
import type { LicenseId } from "#lib/domain/ids.ts";
import type { Currency } from "#lib/domain/money.ts";
import { readFacts } from "#lib/domain/operation-plan.ts";
import { requireSpending, type ServiceContext } from "#lib/services/context.ts";
import { type Agreement, chargeAtProvider } from "#lib/services/operation/change-at-provider.ts";
import { type ChangeOutcome, toChangeOutcome } from "#lib/services/operation/change-outcome.ts";
import { coreChangeEffects, licenseEvent, planSteps } from "#lib/services/operation/plan.ts";
import { computeCoreChangePrice, readCoreChange, renewalPriceChange, requireCores } from "./core-change.ts";
import { getOwnLicense } from "./get.ts";
import { quoteRenewalAfterRemoval } from "./quote-renewal-after-removal.ts";
import { requireIdle, requireRunning } from "./state-rules.ts";

export interface CoreChangeResult extends ChangeOutcome {
  readonly licenseId: LicenseId;
  readonly oldCores: number;
  readonly newCores: number;
  /** Minor units; negative for a credit. */
  readonly price: bigint;
  readonly currency: Currency;
  /** Minor units. */
  readonly balanceAfter: bigint;
}

/**
 * Changes a metered license's cores: charges for the remaining time, or credits from past charges (contract 3.6).
 * @throws DomainError `license_not_found`, `operation_in_progress`, `not_core_metered`, `state_invalid`,
 *   `cycle_not_found`, `spending_limit_reached` (auto-renew would charge more), and those of `chargeAtProvider`.
 */
export async function changeLicenseCores(
  ctx: ServiceContext,
  input: Agreement & {
    readonly licenseId: number;
    readonly cores: number;
    /** An admin adopts a change that the provider has already made: nothing is sent. */
    readonly isAdoption?: true;
  },
): Promise<CoreChangeResult> {
  const resellerId = requireSpending(ctx, "licenses:write");
  const newCores = input.cores;
  const result = await chargeAtProvider(ctx, resellerId, input, async (now) => {
    const license = await getOwnLicense(ctx, resellerId, input.licenseId);
    requireIdle(license);
    const oldCores = requireCores(license);
    requireRunning(license, now);
    if (oldCores === newCores) return null;
    const change = await readCoreChange(ctx, resellerId, license, { newCores, now });
    const priced = computeCoreChangePrice(ctx, change, { now, agreedPrice: input.agreedPrice });
    const { coreLots, coreCredits } = coreChangeEffects(license.key, priced);
    const renewalPriceCap =
      newCores < oldCores ? await quoteRenewalAfterRemoval(ctx, resellerId, license, { cores: newCores, now }) : null;
    // The reseller has not ordered adopted cores, so they do not raise the agreed price.
    const isOrdered = newCores < oldCores || !input.isAdoption;
    return {
      kind: "license_change_core",
      price: priced.price,
      currency: change.currency,
      raisesAutoRenew: license.autoRenew && newCores > oldCores,
      licenseId: license.id,
      lockLicenses: [license],
      plan: (operationId) => ({
        provider: license.provider,
        steps: input.isAdoption
          ? []
          : planSteps(operationId, [{ action: "set_cores", subject: { ...license, cores: newCores } }]),
        onSuccess: {
          licenses: [
            {
              key: license.key,
              cores: newCores,
              ...(isOrdered ? { renewalPriceChange: renewalPriceChange(change).toString() } : {}),
              ...(renewalPriceCap === null ? {} : { renewalPriceCap: renewalPriceCap.toString() }),
            },
          ],
          ...(coreLots.length > 0 ? { coreLots } : {}),
          events: [licenseEvent("license.cores_changed", license.key, { old_cores: oldCores, new_cores: newCores })],
        },
        onRejection: { licenses: [], events: [] },
        ...(coreCredits.length > 0 ? { coreCredits } : {}),
        facts: { oldCores },
      }),
    };
  });
  const identity = { ...toChangeOutcome(result), licenseId: input.licenseId as LicenseId, newCores };
  if (!result) {
    const { posted, held, currency } = await getWallet(ctx.db, resellerId);
    return { ...identity, oldCores: newCores, price: 0n, currency, balanceAfter: posted - held };
  }
  const { price, currency } = result.operation;
  const { oldCores } = readFacts(result.operation, "license_change_core");
  return { ...identity, oldCores, price, currency, balanceAfter: result.balanceAfter };
}
