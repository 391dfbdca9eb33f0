import type { PricesView } from "#components/catalog/catalog.ts";
import type { PriceDraft } from "#components/catalog/price-inputs.tsx";

/** One cycle that a reseller can buy or renews with. Money: minor units, as decimal text. */
export interface OwnPriceRow {
  readonly cycleId: number;
  readonly what: string;
  readonly href: string;
  readonly cycle: string;
  readonly coreMetered: boolean;
  readonly retired: boolean;
  readonly list: PricesView | null;
  readonly own: PricesView | null;
  /** Of the own price; empty while there is none. */
  readonly ownVersion: string;
  /** What it costs us, in the reseller's currency; null where that is not known. */
  readonly cost: PricesView | null;
  /** The own price against the list's, e.g. "−10%". */
  readonly againstList: string | null;
  /** What the reseller pays against what it costs us. */
  readonly markup: string | null;
  /** What the reseller pays is less than it costs us. */
  readonly belowCost: boolean;
  /** Licenses or bundles of the reseller that renew with it. */
  readonly live: number;
}

export interface OwnPriceInput extends PriceDraft {
  readonly cycle_id: number;
  /** Of the own price that was seen. */
  readonly seenVersion: string;
}

export interface OwnPriceRef {
  readonly cycle_id: number;
  readonly seenVersion: string;
}
