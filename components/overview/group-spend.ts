const MAX_PRODUCTS = 4;

/** Charges less refunds of a product in a month; minor units. */
export interface Spend {
  readonly month: Date;
  readonly name: string;
  readonly amount: bigint;
}

export interface SpendMonth {
  /** Its first instant in UTC. */
  readonly month: Date;
  /** In the order of `SpendGroups.products`. */
  readonly amounts: readonly bigint[];
  readonly total: bigint;
}

interface SpendGroups {
  readonly products: readonly string[];
  readonly months: readonly SpendMonth[];
}

/** The products that cost the most have their own share, all others one together. */
export function groupSpend(months: readonly Date[], spend: readonly Spend[]): SpendGroups {
  const totals = new Map<string, bigint>();
  for (const { name, amount } of spend) totals.set(name, (totals.get(name) ?? 0n) + amount);
  const ranked = [...totals].toSorted(([, one], [, other]) => Number(other - one)).map(([name]) => name);
  const named = ranked.slice(0, MAX_PRODUCTS);
  const rest = ranked.slice(MAX_PRODUCTS);
  const groups = [...named.map((name) => [name]), ...(rest.length > 0 ? [rest] : [])];
  return {
    products: [...named, ...(rest.length > 0 ? ["Others"] : [])],
    months: months.map((month) => {
      const rows = spend.filter((row) => row.month.getTime() === month.getTime());
      const sumOf = (names: readonly string[]) =>
        rows.reduce((sum, { name, amount }) => (names.includes(name) ? sum + amount : sum), 0n);
      return {
        month,
        amounts: groups.map((names) => sumOf(names)),
        total: sumOf(ranked),
      };
    }),
  };
}
