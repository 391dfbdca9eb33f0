import { Money } from "#components/ui/money.tsx";
import type { FromPrice } from "./catalog.ts";
import { monthsText } from "./months-text.ts";

/** The lowest price, and for how long; and that there are other currencies. */
export function FromPriceText({ from }: { readonly from: FromPrice | null }) {
  if (from === null) return <span className="text-text-muted">No list price</span>;
  return (
    <span className="inline-block text-right">
      <Money currency={from.currency} minor={from.minor} />
      <span className="text-text-muted"> for {monthsText(from.months)}</span>
      {from.moreCurrencies > 0 && (
        <span className="block text-text-muted text-xs">
          and in {from.moreCurrencies === 1 ? "1 more currency" : `${from.moreCurrencies} more currencies`}
        </span>
      )}
    </span>
  );
}
