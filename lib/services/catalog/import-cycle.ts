import type { CycleChange, StoredProduct } from "#lib/db/catalog/import.ts";
import { MAX_MONTHS } from "#lib/domain/catalog.ts";
import { applyMarkupToCycle, type CyclePrices, type MarkupRule } from "#lib/domain/markup.ts";
import { type Currency, parseCurrency, parseMajor } from "#lib/domain/money.ts";
import type { ProviderCycle } from "#lib/ports/license-provider.ts";

export type ImportStatus = "new" | "changed" | "unchanged";

/** The result for one cycle of a provider's product. Money in minor units. */
export interface ImportedCycle {
  readonly cycle: CycleChange;
  readonly status: ImportStatus;
  readonly currency: Currency;
  readonly cost: CyclePrices;
  /** Set if the rule's price was below cost. */
  readonly belowCost: "raised_to_cost" | "allowed" | null;
  /** The previous list price; null for a new cycle. */
  readonly before: CyclePrices | null;
  /** Resellers' own prices that are now below cost. They are not changed. */
  readonly overridesBelowCost: readonly { readonly resellerId: number; readonly price: CyclePrices }[];
}

/** Returns the reason as text if a cycle cannot be imported. */
export function importCycle(
  offer: ProviderCycle,
  product: StoredProduct | undefined,
  ruleFor: (currency: Currency) => MarkupRule,
): ImportedCycle | string {
  const currency = parseCurrency(offer.currency);
  if (currency === null) return `${offer.currency} is no currency`;
  if (offer.months > MAX_MONTHS) return `it has more than ${MAX_MONTHS} months`;
  const cost = readCost(offer, currency);
  if (cost === null) return `its price is no amount of ${currency}`;
  const known = product?.cycles.find(({ months }) => months === offer.months);
  const prices = known?.prices.filter((price) => price.currency === currency) ?? [];
  const list = prices.find(({ resellerId }) => resellerId === null);
  const rule = ruleFor(currency);
  const price = applyMarkupToCycle(cost, rule, currency);
  const isLoss = isBelow(applyMarkupToCycle(cost, { ...rule, allowBelowCost: true }, currency), cost);
  const same =
    list !== undefined && known?.name === offer.name && known.providerCycle === offer.cycle && isSame(list, price);
  return {
    status: known === undefined ? "new" : same ? "unchanged" : "changed",
    cycle: {
      id: known?.id ?? null,
      name: offer.name,
      months: offer.months,
      providerCycle: offer.cycle,
      price: { ...price, id: list?.id ?? null, currency },
      cost,
    },
    currency,
    cost,
    belowCost: isLoss ? (rule.allowBelowCost ? "allowed" : "raised_to_cost") : null,
    before: list ? { price: list.price, setupFee: list.setupFee, pricePerCore: list.pricePerCore } : null,
    overridesBelowCost: prices
      .flatMap(({ resellerId, ...price }) => (resellerId === null ? [] : [{ resellerId, price }]))
      .filter(({ price }) => isBelow(price, cost)),
  };
}

function isSame(one: CyclePrices, other: CyclePrices): boolean {
  return (
    one.price === other.price &&
    one.setupFee === other.setupFee &&
    (one.pricePerCore ?? 0n) === (other.pricePerCore ?? 0n)
  );
}

/** True if any part of a price is below its cost. */
function isBelow(price: CyclePrices, cost: CyclePrices): boolean {
  return (
    price.price < cost.price || price.setupFee < cost.setupFee || (price.pricePerCore ?? 0n) < (cost.pricePerCore ?? 0n)
  );
}

function readCost(offer: ProviderCycle, currency: Currency): CyclePrices | null {
  const price = parseMajor(offer.price, currency);
  const setupFee = parseMajor(offer.setupFee, currency);
  const pricePerCore = offer.pricePerCore === null ? null : parseMajor(offer.pricePerCore, currency);
  if (price === null || setupFee === null || (pricePerCore === null) !== (offer.pricePerCore === null)) return null;
  return { price, setupFee, pricePerCore };
}
