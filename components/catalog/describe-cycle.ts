import { computeMarkup, formatMarkup } from "#lib/domain/catalog.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { MemberProduct } from "#lib/services/catalog/get-bundle.ts";
import type { CatalogCycle } from "#lib/services/catalog/get-product.ts";
import type { PriceReach } from "#lib/services/catalog/price-reach.ts";

/** With who renews at each of its prices. */
export type CycleView = Readonly<ReturnType<typeof describeCycle>>;

export function describeCycle({ id, ...cycle }: CatalogCycle, reach: readonly PriceReach[]) {
  return {
    ...cycle,
    cycleId: id,
    prices: cycle.prices.map((price) => ({
      ...price,
      reach: reach.find((row) => row.cycleId === id && row.currency === price.currency) ?? noReach,
    })),
  };
}

/** "+20%"; null where the cost is not known. */
export function markupText(price: bigint, cost: bigint | null): string | null {
  const markup = cost === null ? null : computeMarkup(price, cost);
  return markup === null ? null : formatMarkup(markup);
}

export type MemberChoice = Readonly<ReturnType<typeof describeMember>>;

export function describeMember({ id, name, provider, cycles }: MemberProduct) {
  const months = cycles.map((cycle) => cycle.months).toSorted((one, other) => one - other);
  return {
    id,
    name,
    provider,
    /** E.g. "1 month, 12 months": what a bundle of it can be sold for. */
    cycles: months.map((count) => countText(count, "month")).join(", ") || "no cycle on sale",
  };
}

const noReach = { renewable: 0, autoRenew: 0, ownPrice: 0 };
