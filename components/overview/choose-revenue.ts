import { formatMonth } from "#lib/domain/months.ts";
import type { Revenue } from "#lib/services/overview/revenue.ts";

/** The currencies that revenue is shown in, and the currency and the month that a URL chooses. */
export function chooseRevenue(
  { months, products }: Revenue,
  view: { readonly currency: string | null; readonly month: string | null },
  fallback: string,
) {
  const found = [...new Set(products.map(({ currency }) => currency))];
  const countOf = (currency: string) => products.filter((row) => row.currency === currency).length;
  const currencies = found.length === 0 ? [fallback] : found.toSorted((one, other) => countOf(other) - countOf(one));
  return {
    currencies,
    currency: currencies.find((one) => one === view.currency) ?? currencies[0] ?? fallback,
    month: months.find((one) => formatMonth(one) === view.month) ?? months.at(-1) ?? new Date(0),
  };
}
