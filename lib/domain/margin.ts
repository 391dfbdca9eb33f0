/** Minor units of one currency. */
export interface Earned {
  readonly revenue: bigint;
  /** Of what is known. */
  readonly cost: bigint;
  /** The part of the revenue whose cost is not known. */
  readonly uncosted: bigint;
}

export const NOTHING_EARNED: Earned = { revenue: 0n, cost: 0n, uncosted: 0n };

export function addEarned(one: Earned, other: Earned): Earned {
  return {
    revenue: one.revenue + other.revenue,
    cost: one.cost + other.cost,
    uncosted: one.uncosted + other.uncosted,
  };
}

/** Null while the cost of a part is not known. */
export function marginOf({ revenue, cost, uncosted }: Earned): bigint | null {
  return uncosted === 0n ? revenue - cost : null;
}

/** Sums by key, in the order in which the keys appear. */
export function addUpBy<Row extends Earned>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Earned> {
  const sums = new Map<string, Earned>();
  for (const row of rows) sums.set(keyOf(row), addEarned(sums.get(keyOf(row)) ?? NOTHING_EARNED, row));
  return sums;
}
