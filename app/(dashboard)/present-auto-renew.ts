import { type AutoRenewal, renewalDate } from "#components/renewal/auto-renew.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";

interface Renewing {
  readonly autoRenew: boolean;
  readonly expiresAt: Date;
  readonly cycleMonths: number;
}

/** What its automatic renewal means for a license, or for a bundle as a whole. */
export function presentAutoRenewal(
  { autoRenew, expiresAt, cycleMonths }: Renewing,
  quotes: readonly RenewalQuote[],
  { currency, renewAheadDays }: { readonly currency: string; readonly renewAheadDays: number },
  now: Date,
): AutoRenewal {
  const current = quotes.find((quote) => quote.current);
  return {
    on: autoRenew,
    expiresAt: expiresAt.toISOString(),
    renewsAt: renewalDate(expiresAt, renewAheadDays, now).toISOString(),
    price: current?.price.toString() ?? null,
    currency,
    months: cycleMonths,
    expired: expiresAt <= now,
  };
}
