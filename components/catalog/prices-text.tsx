import { Money } from "#components/ui/money.tsx";
import type { CyclePrices } from "#lib/domain/markup.ts";

export interface PricesTextProps {
  /** Null: there is none. */
  readonly prices: CyclePrices | null;
  readonly currency: string;
}

/** A price with what belongs to it, one below the other. */
export function PricesText({ prices, currency }: PricesTextProps) {
  if (prices === null) return <span>None</span>;
  return (
    <span className="block">
      <Money currency={currency} minor={prices.price} />
      {prices.pricePerCore !== null && (
        <span className="block text-text-muted text-xs">
          <Money currency={currency} minor={prices.pricePerCore} /> a core
        </span>
      )}
      {prices.setupFee !== 0n && (
        <span className="block text-text-muted text-xs">
          <Money currency={currency} minor={prices.setupFee} /> setup
        </span>
      )}
    </span>
  );
}
