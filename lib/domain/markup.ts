import { type Currency, minorDigits, roundHalfUp } from "./money.ts";

export const markupRoundings = ["none", "to_99", "to_whole"] as const;
export type MarkupRounding = (typeof markupRoundings)[number];

/** How a price derives from the provider's cost. */
export interface MarkupRule {
  /** Hundredths of a percent: 1250n is 12.5 %. May be negative. */
  readonly percentHundredths: bigint;
  /** Minor units added to each cycle's price, but not to setup fees and cores. May be negative. */
  readonly fixed: bigint;
  /** Rounds up: to the next x.99, to the next whole unit of the currency, or not at all. */
  readonly rounding: MarkupRounding;
  /** Unless set, a price below cost is raised to cost. */
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

/** `"12.5"` → 1250n; null unless it is a plain decimal with at most two decimals and five integer digits. */
export function parsePercent(text: string): bigint | null {
  const match = percentPattern.exec(text);
  if (!match) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const magnitude = BigInt(whole + fraction.padEnd(2, "0"));
  return sign === "-" ? -magnitude : magnitude;
}

/** Selling prices of a cycle. A zero cost without a fixed part stays free. */
export function applyMarkupToCycle(cost: CyclePrices, rule: MarkupRule, currency: Currency): CyclePrices {
  const withoutFixed = { ...rule, fixed: 0n };
  return {
    price: applyMarkup(cost.price, rule, currency),
    setupFee: applyMarkup(cost.setupFee, withoutFixed, currency),
    pricePerCore: cost.pricePerCore === null ? null : applyMarkup(cost.pricePerCore, withoutFixed, currency),
  };
}

/**
 * cost × (1 + percent) + fixed in minor units, rounded half up, then by the rule. Never negative, never below cost
 * unless the rule allows it, and monotonic in cost (from −100 % on).
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
      return ceilTo(amount, unit);
    case "to_99": {
      const belowWhole = unit / 100n;
      return ceilTo(amount + belowWhole, unit) - belowWhole;
    }
    default:
      return rounding satisfies never;
  }
}

function ceilTo(amount: bigint, unit: bigint): bigint {
  return ((amount + unit - 1n) / unit) * unit;
}
