import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { SpendMonth, SpendView } from "./overview.ts";

/** From the product that costs the most on; the last one is for all others. */
const fills = ["bg-accent", "bg-accent/70", "bg-accent/45", "bg-accent/25", "bg-border-control/60"];

const monthFormat = new Intl.DateTimeFormat("en-US", { month: "short", timeZone: "UTC" });
const longMonthFormat = new Intl.DateTimeFormat("en-US", { month: "long", year: "numeric", timeZone: "UTC" });

/** Charges less refunds, by month and product: bars to see it, a table to read it. */
export function SpendCard({ spend }: { readonly spend: SpendView }) {
  const { products, months, currency } = spend;
  const top = months.reduce((most, { total }) => (BigInt(total) > most ? BigInt(total) : most), 0n);
  return (
    <Card description="By month of the order (UTC), less refunds" title="Spend">
      {top === 0n ? (
        <p className="text-sm text-text-muted">Nothing was spent in the last {months.length} months.</p>
      ) : (
        <>
          <div aria-hidden>
            <ol className="flex h-40 items-stretch gap-2 border-b sm:gap-4">
              {months.map((month) => (
                <Bar currency={currency} key={month.month} month={month} top={top} />
              ))}
            </ol>
            <ol className="mt-1 flex gap-2 text-center text-text-muted text-xs sm:gap-4">
              {months.map(({ month, total }) => (
                <li className="min-w-0 flex-1" key={month}>
                  {monthFormat.format(new Date(month))}
                  <span className="tabular block font-medium text-text max-sm:hidden">
                    {moneyText(total, currency)}
                  </span>
                </li>
              ))}
            </ol>
            <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-text-muted text-xs">
              {products.map((name, index) => (
                <li className="flex items-center gap-1.5" key={name}>
                  <span className={cx("size-2.5 rounded-xs", fills[index])} />
                  {name}
                </li>
              ))}
            </ul>
          </div>
          <Disclosure className="mt-3" summary="Show as a table">
            <SpendTable spend={spend} />
          </Disclosure>
        </>
      )}
    </Card>
  );
}

function Bar({
  month,
  top,
  currency,
}: {
  readonly month: SpendMonth;
  readonly top: bigint;
  readonly currency: string;
}) {
  const share = (amount: string) => Number((BigInt(amount) * 10_000n) / top) / 100;
  return (
    <li
      className="flex min-w-0 flex-1 flex-col justify-end"
      title={`${longMonthFormat.format(new Date(month.month))}: ${moneyText(month.total, currency)}`}
    >
      <div className="mx-auto flex w-full max-w-14 flex-1 flex-col-reverse gap-px">
        {month.amounts.map(
          (amount, index) =>
            amount !== "0" && (
              <span
                className={cx("min-h-0.5 last:rounded-t-sm", fills[index])}
                // biome-ignore lint/suspicious/noArrayIndexKey: the products have a fixed order
                key={index}
                style={{ height: `${share(amount)}%` }}
              />
            ),
        )}
      </div>
    </li>
  );
}

function SpendTable({ spend: { products, months, currency } }: { readonly spend: SpendView }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="Spend by month and product" className="mt-2 overflow-x-auto" tabIndex={0}>
      <table className="w-full text-left">
        <thead>
          <tr className="border-b text-text-muted">
            <th className="py-1.5 pr-4 font-medium" scope="col">
              Month
            </th>
            {products.map((name) => (
              <th className="px-2 py-1.5 text-right font-medium" key={name} scope="col">
                {name}
              </th>
            ))}
            <th className="py-1.5 pl-2 text-right font-medium" scope="col">
              Total
            </th>
          </tr>
        </thead>
        <tbody className="divide-y">
          {months.map(({ month, amounts, total }) => (
            <tr key={month}>
              <th className="whitespace-nowrap py-1.5 pr-4 font-normal" scope="row">
                {longMonthFormat.format(new Date(month))}
              </th>
              {amounts.map((amount, index) => (
                <td className="tabular whitespace-nowrap px-2 py-1.5 text-right" key={products[index]}>
                  {moneyText(amount, currency)}
                </td>
              ))}
              <td className="tabular whitespace-nowrap py-1.5 pl-2 text-right font-medium">
                {moneyText(total, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
