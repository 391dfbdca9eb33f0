import type { CyclePrices } from "#lib/domain/markup.ts";

/** One cycle that a reseller can buy or renews with. Money: minor units. */
export interface OwnPriceRow {
  readonly cycleId: number;
  readonly cycleName: string;
  readonly kind: "product" | "bundle";
  readonly ownerId: number;
  readonly ownerName: string;
  readonly coreMetered: boolean;
  readonly retired: boolean;
  readonly list: CyclePrices | null;
  readonly own: CyclePrices | null;
  /** Of the own price; empty while there is none. */
  readonly ownVersion: string;
  /** What it costs us, in the reseller's currency; null where that is not known. */
  readonly cost: CyclePrices | null;
  /** Licenses or bundles of the reseller that renew with it. */
  readonly live: number;
}
