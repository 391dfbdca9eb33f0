import { type CyclePrice, findCyclePrice } from "#lib/db/catalog/offer.ts";
import type { Currency } from "#lib/domain/money.ts";
import { renewalPrice } from "#lib/domain/pricing.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { quotePrice, readCoreChange, requireCores } from "./core-change.ts";
import { getOwnLicense } from "./get.ts";
import { requireRunning } from "./moves.ts";

/** Minor units of `currency`. */
export interface CoreChangeQuote {
  readonly oldCores: number;
  readonly newCores: number;
  /** Charged now; negative for a credit. Can be agreed to for a minute. */
  readonly price: bigint;
  readonly currency: Currency;
  /** By how much each renewal then costs more; negative: less. Null if the cycle has no price any more. */
  readonly renewalChange: bigint | null;
  /** What the license then renews for; null for a member of a bundle, which renews with it, or without a price. */
  readonly renewalPrice: bigint | null;
}

/**
 * What a change of cores would cost now (contract 3.6), and what the license would then renew for.
 * @throws DomainError `license_not_found`, `not_core_metered`, `state_invalid`, `cycle_not_found`.
 */
export async function quoteCoreChange(
  ctx: ServiceContext,
  input: { readonly licenseId: number; readonly cores: number },
): Promise<CoreChangeQuote> {
  const resellerId = requireReseller(ctx, "licenses:read");
  const license = await getOwnLicense(ctx, resellerId, input.licenseId);
  requireCores(license);
  requireRunning(license, ctx.now());
  const change = await readCoreChange(ctx, resellerId, license, input.cores);
  const cycle =
    license.cycleId === null
      ? { months: license.cycleMonths }
      : { cycleId: license.cycleId, keptCycleId: license.cycleId };
  const today = await findCyclePrice(ctx.db, resellerId, { productId: license.productId }, cycle);
  const { oldCores, newCores, currency } = change;
  return {
    oldCores,
    newCores,
    price: quotePrice(change, ctx.now()),
    currency,
    renewalChange: today && renewalPriceOf(today, newCores) - renewalPriceOf(today, oldCores),
    renewalPrice: today && license.bundleInstanceId === null ? renewalPriceOf(today, newCores) : null,
  };
}

function renewalPriceOf({ price, pricePerCore }: CyclePrice, cores: number): bigint {
  return renewalPrice({ price, pricePerCore, cores });
}
