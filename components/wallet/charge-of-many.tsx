import { type CostLine, CostLines, moneyLine } from "#components/ui/cost-lines.tsx";
import type { Affordable } from "#lib/domain/affordable.ts";
import { numberText } from "#lib/domain/count-text.ts";
import { type Charge, shortfallOf, spendableLines } from "./charge.tsx";
import { ShortBalance } from "./short-balance.tsx";

export interface ChargeOfManyProps {
  /** Of all of them; `cost` is their total. */
  readonly charge: Charge;
  readonly count: number;
  /** Which of them the balance pays for. */
  readonly affordable: Affordable;
  /** Above the charge. */
  readonly lines?: readonly (CostLine | false)[];
}

/** What many charges come to, and where the balance does not cover all of them, which it pays for and what is missing. */
export function ChargeOfMany({ charge, count, affordable, lines = [] }: ChargeOfManyProps) {
  const { cost, balance } = charge;
  const { currency } = balance;
  const short = shortfallOf(charge);
  if (short === null) {
    const total = moneyLine("Total charge", cost, currency, true);
    return <CostLines lines={[...lines, total, ...spendableLines(charge)]} />;
  }
  const paid = numberText(affordable.count);
  const all = numberText(count);
  return (
    <>
      <CostLines
        lines={[
          ...lines,
          moneyLine(count === 1 ? "Would cost" : `All ${all} would cost`, cost, currency, true),
          ...spendableLines(charge),
          affordable.count !== 0 && moneyLine(`Covers ${paid} of ${all}`, affordable.total, currency),
        ]}
      />
      <ShortBalance blocked={affordable.count === 0} currency={currency} short={short}>
        {affordable.count === 0
          ? `The balance does not pay for ${count === 1 ? "it" : "any of them"}.`
          : `The balance pays for ${paid} of ${all}. The rest are charged if money arrives first; otherwise they fail and can be retried.`}
      </ShortBalance>
    </>
  );
}
