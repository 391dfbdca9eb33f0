import { DomainError } from "#lib/domain/errors.ts";
import { priceChanged } from "#lib/domain/refused-charge.ts";
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
