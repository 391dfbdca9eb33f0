import type { CyclePrices } from "#lib/domain/markup.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";

/** What a price consists of, as forms and actions name it. */
export const priceFields = [
  { name: "price", label: "price", of: (prices: CyclePrices) => prices.price },
  { name: "price_per_core", label: "price per core", of: (prices: CyclePrices) => prices.pricePerCore },
  { name: "setup_fee", label: "setup fee", of: (prices: CyclePrices) => prices.setupFee },
] as const;
export type PriceField = (typeof priceFields)[number];

/** Those of a product or bundle. */
export function fieldsOf(coreMetered: boolean): readonly PriceField[] {
  return priceFields.filter(({ name }) => coreMetered || name !== "price_per_core");
}

export function cellId(cycleId: number, currency: string, field: string): string {
  return `${cycleId}.${currency}.${field}`;
}

/** In major units; empty: none. */
export function majorText(minor: bigint | null, currency: string): string {
  return minor === null ? "" : toMajorText(minor, currency as Currency);
}
