const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** Agreed and announced price of a renewal, in minor units. */
export interface AgreedRenewalPrice {
  /** Charged for the term, or shown when it was chosen; null if never agreed. */
  readonly agreedPrice: bigint | null;
  /** A higher price announced since; null if none. */
  readonly announcedPrice: bigint | null;
  readonly announcedAt: Date | null;
}

/** Limits on automatic charges, set by the reseller. */
export interface PriceRules {
  /** Days between the announcement of an increase and its first charge. */
  readonly noticeDays: number;
  /** Maximum increase over the agreed price; null for no limit. */
  readonly maxIncreasePercent: number | null;
}

/**
 * Whether an automatic renewal may charge a price (docs/money.md). `chargeable`: from that instant on, null meaning
 * now. `limited`: never, because it exceeds the reseller's limit.
 */
export type PriceVerdict =
  | { readonly kind: "chargeable"; readonly from: Date | null; readonly announce: boolean }
  | { readonly kind: "limited"; readonly announce: boolean };

/** `announce`: the price is an increase that has not been announced yet. */
export function assessRenewalPrice(
  price: bigint,
  terms: AgreedRenewalPrice,
  rules: PriceRules,
  now: Date,
): PriceVerdict {
  const { agreedPrice, announcedPrice, announcedAt } = terms;
  if (agreedPrice !== null && price <= agreedPrice) return { kind: "chargeable", from: null, announce: false };
  const announced = announcedPrice !== null && announcedAt !== null && price <= announcedPrice ? announcedAt : null;
  const announce = announced === null;
  const highest = highestPrice(agreedPrice, rules);
  if (highest !== null && price > highest) return { kind: "limited", announce };
  const from = new Date((announced ?? now).getTime() + rules.noticeDays * MS_PER_DAY);
  return { kind: "chargeable", from: from <= now ? null : from, announce };
}

/** Rounded down; null without a limit or an agreed price. */
function highestPrice(agreedPrice: bigint | null, { maxIncreasePercent }: PriceRules): bigint | null {
  if (agreedPrice === null || maxIncreasePercent === null) return null;
  return (agreedPrice * BigInt(100 + maxIncreasePercent)) / 100n;
}

export type PriceObstacle = "above_limit" | "short_notice";

/** Why a term cannot be renewed at this price before it ends, or null. */
export function findPriceObstacle(verdict: PriceVerdict, termEndsAt: Date): PriceObstacle | null {
  switch (verdict.kind) {
    case "limited":
      return "above_limit";
    case "chargeable":
      return verdict.from !== null && verdict.from >= termEndsAt ? "short_notice" : null;
    default:
      return verdict satisfies never;
  }
}

/** How long before its due day a renewal's price is checked, so an increase is announced in time. */
export function priceCheckLeadDays(rules: PriceRules, renewAheadDays: number): number {
  return rules.noticeDays + renewAheadDays + 1;
}
