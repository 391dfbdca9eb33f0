import { Money } from "#components/ui/money.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";
import type { FromPrice } from "./catalog.ts";
import { monthsText } from "./months-text.ts";

export interface FromPriceTextProps {
  /** Null: it has no list price. */
  readonly from: FromPrice | null;
  readonly state: CatalogState;
}

/** The lowest price, and for how long; and that there are other currencies. */
export function FromPriceText({ from, state }: FromPriceTextProps) {
  if (from === null) {
    return <span className="text-text-muted">{state === "on_sale" ? "Own prices only" : "No list price"}</span>;
  }
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
