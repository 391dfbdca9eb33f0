import { type CostLine, moneyLine } from "#components/ui/cost-lines.tsx";
import { Money } from "#components/ui/money.tsx";
import { spendableLines } from "#components/wallet/charge.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { LicenseDetails } from "./license-details.ts";
import { termText } from "./registration.ts";
import type { CoreQuote } from "./use-core-quote.ts";

interface CoreCosts {
  readonly license: LicenseDetails;
  readonly balance: WalletBalance;
  /** Null while it is not known. */
  readonly quote: CoreQuote | null;
  /** The number that it has: nothing to pay. */
  readonly unchanged: boolean;
}

/** What a change of cores costs now, at each renewal, and what is left; the lines stay where they are. */
export function coreCostLines({ license, balance, quote, unchanged }: CoreCosts): readonly CostLine[] {
  const price = quote === null ? null : BigInt(quote.price);
  const { currency } = balance;
  const wait = unchanged ? "No change" : "…";
  const spendable =
    price === null
      ? [
          moneyLine("Available balance now", balance.spendable, currency),
          { label: "Available balance after", value: wait },
        ]
      : spendableLines({ cost: price, balance });
  return [
    {
      label: price !== null && price < 0n ? "Credited now" : "Charged now",
      value: price === null ? wait : <Money currency={currency} minor={price < 0n ? -price : price} />,
      strong: true,
    },
    { label: "Each renewal", value: quote === null ? wait : <Renewal license={license} quote={quote} /> },
    ...spendable,
  ];
}

function Renewal({ license, quote }: { readonly license: LicenseDetails; readonly quote: CoreQuote }) {
  const { currency, renewalPrice, renewalChange } = quote;
  if (renewalChange === null) return "No price for its cycle";
  if (renewalPrice === null) {
    return (
      <>
        <Money currency={currency} minor={renewalChange} signed /> with its bundle
      </>
    );
  }
  return (
    <>
      <Money currency={currency} minor={renewalPrice} /> per {termText(license.cycleMonths)}
    </>
  );
}
