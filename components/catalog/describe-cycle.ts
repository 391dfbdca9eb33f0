import { computeMarkup, formatMarkup } from "#lib/domain/catalog.ts";
import { countText } from "#lib/domain/count-text.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { CycleView, ReachView } from "./catalog.ts";
import type { MemberChoice } from "./member-picker.tsx";

interface Cycle extends Pick<CycleView, "name" | "months" | "providerCycle" | "retired" | "cost" | "version"> {
  readonly id: number;
  readonly prices: readonly (CyclePrices & { readonly currency: string; readonly version: string })[];
}

interface PriceReach extends ReachView {
  readonly cycleId: number;
  readonly currency: string;
}

export function describeCycle({ id, ...cycle }: Cycle, reach: readonly PriceReach[]): CycleView {
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

interface MemberProduct extends Pick<MemberChoice, "id" | "name" | "provider"> {
  readonly cycles: readonly { readonly months: number }[];
}

export function describeMember({ id, name, provider, cycles }: MemberProduct): MemberChoice {
  const months = cycles.map((cycle) => cycle.months).toSorted((one, other) => one - other);
  return {
    id,
    name,
    provider,
    cycles: months.map((count) => countText(count, "month")).join(", ") || "no cycle on sale",
  };
}

const noReach: ReachView = { renewable: 0, resellers: 0, autoRenew: 0, ownPrice: 0 };
