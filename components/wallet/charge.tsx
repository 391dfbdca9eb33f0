import { type CostLine, moneyLine } from "#components/ui/cost-lines.tsx";

/** What pressing the button would charge, and what there is to pay it with. */
export interface Charge {
  /** Minor units of the balance's currency; negative: credited. */
  readonly cost: bigint;
  readonly balance: { readonly spendable: bigint; readonly currency: string };
}

/** What is missing, in minor units; null where the balance covers it. */
export function shortfallOf({ cost, balance }: Charge): bigint | null {
  const short = cost - balance.spendable;
  return short > 0n ? short : null;
}

/** What can be spent before a charge and after it; only before, where it would be refused. */
export function spendableLines({ cost, balance }: Charge): readonly CostLine[] {
  const now = balance.spendable;
  const before = moneyLine("Available balance now", now, balance.currency);
  if (cost > now) return [before];
  return [before, moneyLine("Available balance after", now - cost, balance.currency, true)];
}
