import { type Currency, toMajorText } from "#lib/domain/money.ts";

/** Where a top-up is requested, with the amount filled in. `minor`: above zero. */
export function topUpHref(minor: bigint, currency: string): string {
  return `/wallet?top-up=${toMajorText(minor, currency as Currency)}`;
}
