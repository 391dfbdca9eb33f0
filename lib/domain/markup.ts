import { type Currency, minorDigits, roundHalfUp } from "./money.ts";

export const markupRoundings = ["none", "to_99", "to_whole"] as const;
export type MarkupRounding = (typeof markupRoundings)[number];

/** How a price is made from what the provider charges. */
export interface MarkupRule {
  /** Hundredths of a percent: 1250n is 12.5 %. May be negative. */
  readonly percentHundredths: bigint;
  /** Minor units added to each cycle's price, not to setup fees and cores. May be negative. */
  readonly fixed: bigint;
  /** Always upwards: to the next x.99, to the next whole unit of the currency, or not at all. */
  readonly rounding: MarkupRounding;
  /** A price below cost is raised to cost unless this is set. */
  readonly allowBelowCost: boolean;
}

/** Minor units of one currency. */
export interface CyclePrices {
  readonly price: bigint;
  readonly setupFee: bigint;
  readonly pricePerCore: bigint | null;
}

const HUNDREDTHS_OF_PERCENT = 10_000n;
const percentPattern = /^(-?)(0|[1-9]\d{0,4})(?:\.(\d{1,2}))?$/;

/** `"12.5"` → 1250n; null unless it is plain decimal text with at most two decimals and five digits before them. */
export function parsePercent(text: string): bigint | null {
  const match = percentPattern.exec(text);
  if (!match) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const magnitude = BigInt(whole + fraction.padEnd(2, "0"));
  return sign === "-" ? -magnitude : magnitude;
}

/** What a cycle is sold for, from what it costs. What costs nothing and has no fixed part stays free. */
export function applyMarkupToCycle(cost: CyclePrices, rule: MarkupRule, currency: Currency): CyclePrices {
  const withoutFixed = { ...rule, fixed: 0n };
  return {
    price: applyMarkup(cost.price, rule, currency),
    setupFee: applyMarkup(cost.setupFee, withoutFixed, currency),
    pricePerCore: cost.pricePerCore === null ? null : applyMarkup(cost.pricePerCore, withoutFixed, currency),
  };
}

/**
 * Minor units: cost × (1 + percent) + fixed, rounded half up to the minor unit, then as the rule says. Never negative,
 * and never below cost unless the rule allows it; a higher cost never gives a lower price (from −100 % on).
 */
export function applyMarkup(cost: bigint, rule: MarkupRule, currency: Currency): bigint {
  const exact =
    roundHalfUp(cost * (HUNDREDTHS_OF_PERCENT + rule.percentHundredths), HUNDREDTHS_OF_PERCENT) + rule.fixed;
  const least = rule.allowBelowCost ? 0n : cost;
  return roundUp(exact > least ? exact : least, rule.rounding, currency);
}

function roundUp(amount: bigint, rounding: MarkupRounding, currency: Currency): bigint {
  const digits = minorDigits(currency);
  if (amount === 0n || digits === 0) return amount;
  const unit = 10n ** BigInt(digits);
  switch (rounding) {
    case "none":
      return amount;
    case "to_whole":
      return ceilingOf(amount, unit);
    case "to_99": {
      const belowWhole = unit / 100n;
      return ceilingOf(amount + belowWhole, unit) - belowWhole;
    }
    default:
      return rounding satisfies never;
  }
}

function ceilingOf(amount: bigint, unit: bigint): bigint {
  return ((amount + unit - 1n) / unit) * unit;
}
