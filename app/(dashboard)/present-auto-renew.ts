import { type AutoRenewal, renewalDate } from "#components/renewal/auto-renew.ts";
import { type AgreedRenewalPrice, assessRenewalPrice, findPriceObstacle } from "#lib/domain/renewal-price.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import type { ResellerDetails } from "#lib/services/reseller/get.ts";

interface Renewing extends AgreedRenewalPrice {
  readonly autoRenew: boolean;
  readonly expiresAt: Date;
  readonly cycleMonths: number;
}

/** What its automatic renewal means for a license, or for a bundle as a whole. */
export function presentAutoRenewal(
  { autoRenew, expiresAt, cycleMonths, ...told }: Renewing,
  quotes: readonly RenewalQuote[],
  { currency, renewAheadDays, priceRules }: Pick<ResellerDetails, "currency" | "renewAheadDays" | "priceRules">,
  now: Date,
): AutoRenewal {
  const current = quotes.find((quote) => quote.current);
  const verdict = current && assessRenewalPrice(current.price, told, priceRules, now);
  const risen = current !== undefined && told.agreedPrice !== null && current.price > told.agreedPrice;
  return {
    on: autoRenew,
    expiresAt: expiresAt.toISOString(),
    renewsAt: renewalDate(expiresAt, renewAheadDays, now).toISOString(),
    price: current?.price.toString() ?? null,
    currency,
    months: cycleMonths,
    expired: expiresAt <= now,
    risenFrom: risen ? String(told.agreedPrice) : null,
    obstacle: verdict ? findPriceObstacle(verdict, expiresAt) : null,
  };
}
