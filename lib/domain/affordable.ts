/** What a balance can pay; `total` in minor units. */
export interface Affordable {
  readonly count: number;
  readonly total: bigint;
}

/**
 * Charges items in order and skips each one that the remaining balance cannot pay.
 * @param priceOf in minor units
 * @param balance available balance, in minor units
 */
export function computeAffordable<T>(
  items: Iterable<T>,
  priceOf: (item: T) => bigint,
  balance: bigint,
): Affordable & { readonly paid: readonly T[] } {
  const paid: T[] = [];
  let total = 0n;
  for (const item of items) {
    const price = priceOf(item);
    if (price > balance - total) continue;
    total += price;
    paid.push(item);
  }
  return { count: paid.length, total, paid };
}
