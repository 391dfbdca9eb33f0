import { Money } from "#components/ui/money.tsx";
import type { CatalogState } from "#lib/domain/catalog.ts";
import { countText } from "#lib/domain/count-text.ts";

export interface FromPriceTextProps {
  /** The lowest of each currency, in minor units; empty: it has no list price. */
  readonly prices: readonly { readonly price: bigint; readonly currency: string; readonly months: number }[];
  readonly state: CatalogState;
}

/** The lowest price, and for how long; and that there are other currencies. */
export function FromPriceText({ prices: [from, ...others], state }: FromPriceTextProps) {
  if (from === undefined) {
    return <span className="text-text-muted">{state === "on_sale" ? "Own prices only" : "No list price"}</span>;
  }
  return (
    <span className="inline-block text-right">
      <Money currency={from.currency} minor={from.price} />
      <span className="text-text-muted"> for {countText(from.months, "month")}</span>
      {others.length > 0 && (
        <span className="block text-text-muted text-xs">
          and in {others.length === 1 ? "1 more currency" : `${others.length} more currencies`}
        </span>
      )}
    </span>
  );
}
