import type { ReactNode } from "react";
import { type CostLine, CostLines } from "#components/ui/cost-lines.tsx";
import { Money } from "#components/ui/money.tsx";
import { shortfallOf, spendableLines } from "#components/wallet/charge.tsx";
import { ChargeOfMany } from "#components/wallet/charge-of-many.tsx";
import { ShortBalance } from "#components/wallet/short-balance.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import {
  type Amount,
  affordableLicenses,
  type CycleChoice,
  coresPriceOf,
  ONE,
  type ProductChoice,
  termText,
  totalOf,
} from "./registration.ts";

export interface RegisterSummaryProps {
  readonly product: Pick<ProductChoice, "name"> | null;
  readonly cycle: CycleChoice | null;
  readonly amount?: Amount;
  readonly balance: WalletBalance;
  /** It was refused for want of money, which is said above the button: then it is not said twice. */
  readonly refused: boolean;
  /** The button. */
  readonly children: ReactNode;
}

/** What it costs and what is left afterwards, right above the button. */
export function RegisterSummary({ product, cycle, amount = ONE, balance, refused, children }: RegisterSummaryProps) {
  const total = cycle === null ? null : totalOf(cycle, amount);
  const { currency } = balance;
  const short = total === null ? null : shortfallOf({ cost: total, balance });
  return (
    <section aria-label="Summary" className="rounded-lg border bg-surface p-4 shadow-raised lg:sticky lg:top-20">
      <h2 className="font-semibold text-base">Summary</h2>
      {product === null || cycle === null || total === null ? (
        <p className="mt-1 text-sm text-text-muted">Choose a product to see what it costs.</p>
      ) : (
        <p className="mt-1 text-sm text-text-muted">
          {product.name}, {cycle.name.toLowerCase()}
        </p>
      )}
      <div className="mt-3 flex flex-col gap-3" role="status">
        {cycle === null || total === null ? (
          <CostLines
            lines={[{ label: "Available balance now", value: <Money currency={currency} minor={balance.spendable} /> }]}
          />
        ) : amount.licenses === 1 ? (
          <CostLines
            lines={[
              ...priceLines(cycle, amount, currency),
              { label: "Charged now", value: <Money currency={currency} minor={total} />, strong: true },
              ...spendableLines({ cost: total, balance }),
            ]}
          />
        ) : (
          <ChargeOfMany
            affordable={affordableLicenses(cycle, amount, balance)}
            charge={{ cost: total, balance }}
            count={amount.licenses}
            lines={[...priceLines(cycle, amount, currency), { label: "Licenses", value: `× ${amount.licenses}` }]}
          />
        )}
        {amount.licenses === 1 && short !== null && !refused && (
          <ShortBalance currency={currency} short={short}>
            Until then this registration is refused.
          </ShortBalance>
        )}
      </div>
      <div className="mt-4">{children}</div>
      <p className="mt-2.5 text-text-muted text-xs">
        The money is held while the provider is asked, and charged only when it confirms.
      </p>
    </section>
  );
}

/** What the price of one consists of. */
function priceLines(cycle: CycleChoice, { cores }: Amount, currency: string): readonly (CostLine | false)[] {
  return [
    { label: `Price per ${termText(cycle.months)}`, value: <Money currency={currency} minor={cycle.price} /> },
    cores !== 1 && {
      label: `${cores - 1} more ${cores === 2 ? "core" : "cores"}`,
      value: <Money currency={currency} minor={coresPriceOf(cycle, cores)} />,
    },
    cycle.setupFee !== 0n && {
      label: "Setup fee, once",
      value: <Money currency={currency} minor={cycle.setupFee} />,
    },
  ];
}
