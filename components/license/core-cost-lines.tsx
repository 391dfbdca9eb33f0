import type { ReactNode } from "react";
import { Money } from "#components/ui/money.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { CoreQuote } from "./license-changes.ts";
import type { LicenseDetails } from "./license-details.ts";
import { termText } from "./registration.ts";

interface CoreCosts {
  readonly license: LicenseDetails;
  readonly balance: WalletBalance;
  /** Null while it is not known. */
  readonly quote: CoreQuote | null;
  /** The number that it has: nothing to pay. */
  readonly unchanged: boolean;
}

/** What a change of cores costs now, at each renewal, and what is left; the lines stay where they are. */
export function coreCostLines({ license, balance, quote, unchanged }: CoreCosts) {
  const price = quote === null ? null : BigInt(quote.price);
  const after = price === null ? null : BigInt(balance.minor) - price;
  const { currency } = balance;
  const wait = unchanged ? "No change" : "…";
  const lines: { readonly label: string; readonly value: ReactNode }[] = [
    {
      label: price !== null && price < 0n ? "Credited now" : "Charged now",
      value: price === null ? wait : <Money currency={currency} minor={price < 0n ? -price : price} />,
    },
    { label: "Each renewal", value: quote === null ? wait : <Renewal license={license} quote={quote} /> },
    { label: "Balance now", value: <Money currency={currency} minor={balance.minor} /> },
  ];
  if (after !== null && after < 0n) {
    return [
      ...lines,
      { label: "Too little by", value: <Money className="text-caution" currency={currency} minor={-after} /> },
    ];
  }
  return [
    ...lines,
    { label: "Balance after", value: after === null ? wait : <Money currency={currency} minor={after} /> },
  ];
}

function Renewal({ license, quote }: { readonly license: LicenseDetails; readonly quote: CoreQuote }) {
  const { currency, renewalPrice, renewalChange } = quote;
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
