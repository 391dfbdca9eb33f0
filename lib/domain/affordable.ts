/** What a balance pays for; `total` in minor units. */
export interface Affordable {
  readonly count: number;
  readonly total: bigint;
}

/**
 * What a balance pays for of charges that are made one after the other: what it does not reach when its turn comes is
 * refused, and what comes later and costs less is still paid.
 * @param prices in minor units, in the order in which they are charged
 * @param balance what can be spent, in minor units
 */
export function affordableOf(prices: Iterable<bigint>, balance: bigint): Affordable {
  let count = 0;
  let total = 0n;
  for (const price of prices) {
    if (price > balance - total) continue;
    total += price;
    count += 1;
  }
  return { count, total };
}
