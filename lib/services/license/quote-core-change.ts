import { type CyclePrice, findCyclePrice } from "#lib/db/catalog/cycle-price.ts";
import type { Currency } from "#lib/domain/money.ts";
import { renewalPrice } from "#lib/domain/pricing.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { quoteCoreChangePrice, readCoreChange, requireCores } from "./core-change.ts";
import { getOwnLicense } from "./get.ts";
import { requireRunning } from "./state-rules.ts";

/** Minor units of `currency`. */
export interface CoreChangeQuote {
  readonly oldCores: number;
  readonly newCores: number;
  /** Charged now; negative for a credit. Valid for a minute. */
  readonly price: bigint;
  readonly currency: Currency;
  /** Increase of the renewal price, negative for a decrease; null if the cycle has no price any more. */
  readonly renewalChange: bigint | null;
  /** New renewal price; null for a bundle's member or without a price. */
  readonly renewalPrice: bigint | null;
}

/**
 * Prices a change of cores (contract 3.6) and the renewals after it.
 * @throws DomainError `license_not_found`, `not_core_metered`, `state_invalid`, `cycle_not_found`.
 */
export async function quoteCoreChange(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly cores: number },
): Promise<CoreChangeQuote> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  requireCores(license);
  const now = ctx.now();
  requireRunning(license, now);
  const change = await readCoreChange(ctx, resellerId, license, { newCores: input.cores, now });
  const cycle =
    license.cycleId === null
      ? { months: license.cycleMonths }
      : { cycleId: license.cycleId, keptCycleId: license.cycleId };
  const today = await findCyclePrice(ctx.db, resellerId, { productId: license.productId }, cycle);
  const { oldCores, newCores, currency } = change;
  return {
    oldCores,
    newCores,
    price: quoteCoreChangePrice(change, now),
    currency,
    renewalChange: today && renewalPriceOf(today, newCores) - renewalPriceOf(today, oldCores),
    renewalPrice: today && license.bundleInstanceId === null ? renewalPriceOf(today, newCores) : null,
  };
}

function renewalPriceOf({ price, pricePerCore }: CyclePrice, cores: number): bigint {
  return renewalPrice({ price, pricePerCore, cores });
}
