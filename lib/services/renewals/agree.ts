import { DomainError } from "#lib/domain/errors.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";

/**
 * Requires that the agreed renewal price is today's.
 * @throws DomainError `price_changed`, `cycle_not_found` if the cycle is no longer sold.
 */
export function requireAgreedRenewal(quotes: readonly RenewalQuote[], agreedPrice: bigint): void {
  const today = quotes.find(({ current }) => current);
  if (!today) throw new DomainError("cycle_not_found", "The billing cycle is no longer sold.");
  if (today.price !== agreedPrice) throw priceChanged(today.price, today.currency);
}

/**
 * Auto-renew spends in every later term, which no monthly limit of an API key can count (contract 1.13).
 * @throws DomainError `spending_limit_reached` for a key with a spending limit
 */
export function requireUnlimitedSpending({ actor }: ServiceContext): void {
  if (actor.kind !== "api_key" || actor.spendingKeyId === null) return;
  const message =
    "This API key has a spending limit, and auto-renew charges beyond it. Do this in the dashboard, or with a key that has no limit.";
  throw new DomainError("spending_limit_reached", message);
}

/**
 * A renewal agrees to its price for automatic ones, too, and its cycle becomes theirs: whether auto-renew is on and would
 * charge more or by another cycle.
 */
export function raisesAutoRenew(
  before: { readonly autoRenew: boolean; readonly agreedPrice: bigint | null; readonly cycleId: number | null },
  renewal: { readonly price: bigint; readonly cycleId: number },
): boolean {
  const { autoRenew, agreedPrice, cycleId } = before;
  return autoRenew && (agreedPrice === null || renewal.price > agreedPrice || renewal.cycleId !== cycleId);
}

/**
 * The agreed price that a renewal leaves. Nobody chose to renew at the price of an adopted one, so it never raises the
 * agreed price, and a higher announced price stays.
 */
export function agreedRenewal(
  before: { readonly agreedPrice: bigint | null },
  { price, isAdoption }: { readonly price: bigint; readonly isAdoption: true | undefined },
): { readonly renewalPrice?: string } {
  const raises = before.agreedPrice === null || price > before.agreedPrice;
  return isAdoption && raises ? {} : { renewalPrice: price.toString() };
}
