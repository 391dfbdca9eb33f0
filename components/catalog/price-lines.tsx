import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { computeMarkup, formatMarkup } from "#lib/domain/catalog.ts";
import type { CyclePrices } from "#lib/domain/markup.ts";
import type { PriceDraft } from "./price-inputs.tsx";

/** What a typed price leaves over what the provider charges; null while it is none. */
export function costLines(cost: CyclePrices | null, typed: CyclePrices | null, currency: string) {
  if (cost === null) return [];
  const markup = typed === null ? null : computeMarkup(typed.price, cost.price);
  return [
    { label: "Costs us", value: <Money currency={currency} minor={cost.price} /> },
    ...(markup === null
      ? []
      : [
          {
            label: "Markup on cost",
            value: markup < 0n ? <BelowCost text={formatMarkup(markup)} /> : formatMarkup(markup),
          },
        ]),
  ];
}

function BelowCost({ text }: { readonly text: string }) {
  return <span className="font-medium text-critical">Below cost, {text}</span>;
}

/** On the button: the price, or that it is what goes with it that changes. */
export function setPriceLabel(typed: CyclePrices | null, before: CyclePrices | null, currency: string): string {
  if (typed === null) return "Set price";
  return typed.price === before?.price ? "Save prices" : `Set to ${moneyText(typed.price, currency)}`;
}

/** Whether a form says just what is so already. */
export function isUnchanged(draft: PriceDraft, before: PriceDraft): boolean {
  return (
    draft.price.trim() === before.price &&
    draft.setup_fee.trim() === before.setup_fee &&
    draft.price_per_core.trim() === before.price_per_core
  );
}
