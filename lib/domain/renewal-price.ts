const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** What a reseller has been told of the price of a renewal, in minor units. */
export interface RenewalPriceTerms {
  /** What it last agreed to: charged for the term, or shown when it was chosen. Null: never. */
  readonly agreedPrice: bigint | null;
  /** A higher price that was announced since, and when; null: none. */
  readonly announcedPrice: bigint | null;
  readonly announcedAt: Date | null;
}

/** What a reseller lets be charged without asking. */
export interface PriceRules {
  /** An increase is charged so many days after its announcement at the earliest. */
  readonly noticeDays: number;
  /** At most so much above the agreed price; null: whatever was announced. */
  readonly maxIncreasePercent: number | null;
}

/**
 * Whether a price may be charged for a renewal that nobody asked for (docs/money.md). `chargeable`: from that instant on,
 * null: now. `limited`: not at all, as it is more than `highest`.
 */
export type PriceVerdict =
  | { readonly kind: "chargeable"; readonly from: Date | null; readonly announce: boolean }
  | { readonly kind: "limited"; readonly highest: bigint; readonly announce: boolean };

/** `announce`: the price is an increase that has not been announced. */
export function judgeRenewalPrice(price: bigint, told: RenewalPriceTerms, rules: PriceRules, now: Date): PriceVerdict {
  const { agreedPrice, announcedPrice, announcedAt } = told;
  if (agreedPrice !== null && price <= agreedPrice) return { kind: "chargeable", from: null, announce: false };
  const announced = announcedPrice !== null && announcedAt !== null && price <= announcedPrice ? announcedAt : null;
  const announce = announced === null;
  const highest = highestPrice(agreedPrice, rules);
  if (highest !== null && price > highest) return { kind: "limited", highest, announce };
  const from = new Date((announced ?? now).getTime() + rules.noticeDays * MS_PER_DAY);
  return { kind: "chargeable", from: from <= now ? null : from, announce };
}

/** Rounded down; null: no limit, or nothing that it could be measured by. */
function highestPrice(agreedPrice: bigint | null, { maxIncreasePercent }: PriceRules): bigint | null {
  if (agreedPrice === null || maxIncreasePercent === null) return null;
  return (agreedPrice * BigInt(100 + maxIncreasePercent)) / 100n;
}

/** Why a term will not be renewed at this price before it ends; null: it can be. */
export function findPriceObstacle(verdict: PriceVerdict, termEndsAt: Date): "above_limit" | "short_notice" | null {
  switch (verdict.kind) {
    case "limited":
      return "above_limit";
    case "chargeable":
      return verdict.from !== null && verdict.from >= termEndsAt ? "short_notice" : null;
    default:
      return verdict satisfies never;
  }
}

/** How long before its due day a renewal's price is looked at, so that an increase can be announced in time. */
export function lookAheadDays(rules: PriceRules, renewAheadDays: number): number {
  return rules.noticeDays + renewAheadDays + 1;
}
