/** What a balance can pay; `total` in minor units. */
export interface Affordable {
  readonly count: number;
  readonly total: bigint;
}

/**
 * Charges `prices` in order and skips each one that the remaining balance cannot pay.
 * @param prices in minor units
 * @param balance available balance, in minor units
 */
export function computeAffordable(prices: Iterable<bigint>, balance: bigint): Affordable {
  let count = 0;
  let total = 0n;
  for (const price of prices) {
    if (price > balance - total) continue;
    total += price;
    count += 1;
  }
  return { count, total };
}
