import type { ParameterProblem } from "./errors.ts";
import { parsePositiveInteger } from "./integer.ts";
import type { CyclePrices } from "./markup.ts";
import { type Currency, minorDigits, roundHalfUp } from "./money.ts";
import { isStorableWithin } from "./text.ts";
import { parseTypedAmount } from "./typed-amount.ts";

export const catalogStates = ["on_sale", "not_sold", "retired"] as const;
/** `not_sold`: no cycle of it on sale has any price. */
export type CatalogState = (typeof catalogStates)[number];

/** Longer terms are not sold. */
export const MAX_MONTHS = 120;
const MAX_WORKERS = 1_024;
const NAME_MAX_LENGTH = 100;
const DESCRIPTION_MAX_LENGTH = 1_000;
const PROVIDER_NAME_MAX_LENGTH = 200;
const slugPattern = /^[a-z][a-z0-9_]{0,49}$/;

/** As typed, in major units. */
export interface PriceText {
  readonly price: string;
  readonly setupFee: string;
  /** Null or empty unless the product is metered by cores. */
  readonly pricePerCore: string | null;
}

/** Prices in minor units of `currency`, or every wrong field. Only metered products have a price per core. */
export function parsePrices(
  text: PriceText,
  currency: Currency,
  coreMetered: boolean,
): { readonly prices: CyclePrices } | { readonly problems: readonly ParameterProblem[] } {
  const problems: ParameterProblem[] = [];
  const read = (field: string, value: string): bigint => {
    const { minor, problem } = parseTypedAmount(value, currency);
    if (minor !== undefined && minor >= 0n) return minor;
    const kind = value.trim() === "" ? "missing" : "malformed";
    problems.push({ field, kind, message: problem ?? amountRule(currency) });
    return 0n;
  };
  const price = read("price", text.price);
  const setupFee = read("setup_fee", text.setupFee.trim() === "" ? "0" : text.setupFee);
  const perCore = text.pricePerCore?.trim() ?? "";
  if (!coreMetered && perCore !== "") {
    problems.push({ field: "price_per_core", kind: "malformed", message: "is for products metered by cores only" });
  }
  const pricePerCore = coreMetered ? read("price_per_core", perCore) : null;
  return problems.length > 0 ? { problems } : { prices: { price, setupFee, pricePerCore } };
}

function amountRule(currency: Currency): string {
  const digits = minorDigits(currency);
  const decimals = digits === 0 ? "without decimals" : `with at most ${digits} decimals`;
  return `must be an amount of ${currency}, 0 or more, ${decimals}`;
}

/** Absent fields are not checked. */
export interface CatalogFields {
  /** The contract's `type`. */
  readonly slug?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly workers?: number | undefined;
  readonly providerSku?: string | undefined;
  readonly months?: number | undefined;
  /** Null if the provider has no cycles. */
  readonly providerCycle?: string | null | undefined;
}

/** Problems with the fields of a product, bundle or cycle; names must be trimmed. */
export function checkCatalogFields(fields: CatalogFields): readonly ParameterProblem[] {
  const { slug, name, description, workers, providerSku, months, providerCycle } = fields;
  const problems: ParameterProblem[] = [];
  const complain = (field: string, message: string) => problems.push({ field, kind: "malformed", message });
  const checkText = (field: string, text: string | undefined, maxLength: number, required: boolean) => {
    if (required && text === "") problems.push({ field, kind: "missing", message: "is required" });
    else if (text && !isStorableWithin(text, maxLength)) complain(field, `must have at most ${maxLength} characters`);
  };
  checkText("name", name, NAME_MAX_LENGTH, true);
  if (slug === "") problems.push({ field: "type", kind: "missing", message: "is required" });
  else if (slug !== undefined && !slugPattern.test(slug)) {
    complain("type", "must be up to 50 lowercase letters, digits or _, starting with a letter");
  }
  checkText("description", description, DESCRIPTION_MAX_LENGTH, false);
  if (workers !== undefined && workers !== 0 && (parsePositiveInteger(workers) ?? MAX_WORKERS + 1) > MAX_WORKERS) {
    complain("workers", `must be a whole number from 0 to ${MAX_WORKERS}`);
  }
  checkText("provider_sku", providerSku, PROVIDER_NAME_MAX_LENGTH, true);
  if (months !== undefined && (parsePositiveInteger(months) ?? MAX_MONTHS + 1) > MAX_MONTHS) {
    complain("months", `must be a whole number from 1 to ${MAX_MONTHS}`);
  }
  checkText("provider_cycle", providerCycle ?? undefined, PROVIDER_NAME_MAX_LENGTH, false);
  return problems;
}

/** Facts about a product that a bundle depends on. */
export interface MemberFacts {
  readonly name: string;
  readonly provider: string;
  readonly coreMetered: boolean;
  readonly retired: boolean;
  /** Cycles on sale with the currencies of their list prices. */
  readonly cycles: readonly { readonly months: number; readonly currencies: readonly string[] }[];
}

/** A bundle consists of several distinct products of one provider, all on sale (contract 3.10). */
export function findMemberProblem(members: readonly (MemberFacts & { readonly id: number })[]): string | null {
  if (members.length < 2) return "must be two or more products";
  if (new Set(members.map(({ id }) => id)).size < members.length) return "must name each product once";
  const retired = members.find((member) => member.retired);
  if (retired) return `cannot have ${retired.name}: it is retired`;
  const [first, ...others] = members;
  const other = others.find(({ provider }) => provider !== first?.provider);
  if (first && other) {
    return `must have one provider: ${first.name} comes from ${first.provider}, ${other.name} from ${other.provider}`;
  }
  return null;
}

/**
 * Why a bundle cannot be sold for `months` in `currency` with these members, or null. Each member needs a cycle of that
 * length, in which the provider sells it; a metered one also needs a price per core in that currency for renewing its
 * extra cores (contract 3.10).
 */
export function findTermProblem(
  members: readonly MemberFacts[],
  months: number,
  currency: string | null,
): string | null {
  for (const { name, coreMetered, cycles } of members) {
    const cycle = cycles.find((candidate) => candidate.months === months);
    if (!cycle) return `${name} has no cycle of ${months} months on sale`;
    if (coreMetered && currency !== null && !cycle.currencies.includes(currency)) {
      return `${name} is metered by cores and has no price in ${currency} for ${months} months`;
    }
  }
  return null;
}

/** Markup over cost in hundredths of a percent, rounded half up; null if the cost is zero. */
export function computeMarkup(price: bigint, cost: bigint): bigint | null {
  return cost <= 0n ? null : roundHalfUp((price - cost) * 10_000n, cost);
}

/** `1250n` → `"+12.5%"`, with a typographic minus. */
export function formatMarkup(hundredths: bigint): string {
  const magnitude = hundredths < 0n ? -hundredths : hundredths;
  const decimals = String(magnitude % 100n)
    .padStart(2, "0")
    .replace(/0+$/, "");
  const sign = hundredths < 0n ? "−" : "+";
  return `${sign}${magnitude / 100n}${decimals === "" ? "" : `.${decimals}`}%`;
}
