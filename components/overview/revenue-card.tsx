import { Bars } from "#components/chart/bars.tsx";
import { Key } from "#components/chart/key.tsx";
import { scaleTop } from "#components/chart/scale.ts";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { monthText } from "#components/ui/format-time.ts";
import { compactMoneyText, moneyText } from "#components/ui/money-text.ts";
import { SegmentedLinks } from "#components/ui/segmented.tsx";
import { countText } from "#lib/domain/count-text.ts";
import { addUpBy, type Earned, marginOf, NOTHING_EARNED } from "#lib/domain/margin.ts";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import { formatMonth } from "#lib/domain/months.ts";
import { EarnedTable, isCostUnknown } from "./earned-table.tsx";
import { revenueHref } from "./revenue-params.ts";

const PRODUCTS_AT_ONCE = 5;

export interface RevenueCardProps {
  readonly path: string;
  /** First instants in UTC, oldest first. */
  readonly months: readonly Date[];
  /** In all currencies. */
  readonly rows: readonly (Earned & { readonly month: Date; readonly name: string; readonly currency: string })[];
  readonly currencies: readonly string[];
  readonly currency: string;
  /** One of `months`. */
  readonly month: Date;
}

/** Revenue, cost and margin: a bar and a line of a table for each month, and the chosen month by product. */
export function RevenueCard({ path, months, rows: all, currencies, currency, month }: RevenueCardProps) {
  const rows = all.filter((row) => row.currency === currency);
  const sums = addUpBy(rows, (row) => formatMonth(row.month));
  const earned = months.map((one) => ({ month: one, ...(sums.get(formatMonth(one)) ?? NOTHING_EARNED) }));
  const highest = Math.max(...earned.map(({ revenue }) => toMajorNumber(revenue, currency as Currency)));
  const top = scaleTop(highest);
  const hrefOf = (one: Date) =>
    revenueHref(path, { currency: currencies.length > 1 ? currency : null, month: formatMonth(one) });
  const sold = addUpBy(
    rows.filter((row) => formatMonth(row.month) === formatMonth(month)),
    ({ name }) => name,
  );
  const products = [...sold]
    .toSorted(([, one], [, other]) => Number(other.revenue - one.revenue))
    .map(([name, sum]) => ({ name, href: null, ...sum }));
  const others = products.slice(PRODUCTS_AT_ONCE);
  return (
    <Card
      actions={
        currencies.length > 1 && (
          <SegmentedLinks
            label="Currency"
            links={currencies.map((one) => ({
              label: one,
              href: revenueHref(path, { currency: one, month: formatMonth(month) }),
              active: one === currency,
            }))}
          />
        )
      }
      description="Charges less refunds and credits, by month (UTC)"
      title="Revenue"
    >
      <Bars
        bars={earned.map((one) => ({
          label: monthText(one.month, "short"),
          text: textOf(one, currency),
          href: hrefOf(one.month),
          chosen: formatMonth(one.month) === formatMonth(month),
          parts: partsOf(one, top, currency as Currency),
        }))}
        label="Revenue by month"
        ticks={[compactMoneyText(top, currency), compactMoneyText(top / 2, currency), compactMoneyText(0, currency)]}
      />
      {rows.some(({ cost }) => cost !== 0n) && (
        <p aria-hidden className="mt-2 flex flex-wrap gap-x-4 text-text-muted text-xs">
          <Key className="size-2.5 rounded-xs bg-chart-2">Provider cost</Key>
          <Key className="size-2.5 rounded-xs bg-chart-1">
            {rows.some(({ uncosted }) => uncosted !== 0n) ? "Revenue above known cost" : "Margin"}
          </Key>
        </p>
      )}
      <Disclosure className="mt-3" openSummary="Hide table" summary="Show as a table">
        <EarnedTable
          currency={currency}
          first="Month"
          label="Revenue by month"
          lines={earned
            .toReversed()
            .map((one) => ({ name: monthText(one.month, "long"), href: hrefOf(one.month), ...one }))}
        />
      </Disclosure>
      <h3 className="mt-5 font-medium text-sm">{monthText(month, "long")} by product</h3>
      <EarnedTable
        currency={currency}
        first="Product"
        label={`Revenue of ${monthText(month, "long")} by product`}
        lines={products.slice(0, PRODUCTS_AT_ONCE)}
      />
      {others.length > 0 && (
        <Disclosure className="mt-7" summary={`Show ${countText(others.length, "more product", "more products")}`}>
          <EarnedTable
            currency={currency}
            first="Product"
            label={`Revenue of ${monthText(month, "long")} by further products`}
            lines={others}
          />
        </Disclosure>
      )}
    </Card>
  );
}

function textOf(earned: Earned & { readonly month: Date }, currency: string): string {
  const margin = marginOf(earned);
  const cost = moneyText(earned.cost, currency);
  const known = margin === null ? `known cost ${cost}` : `cost ${cost}, margin ${moneyText(margin, currency)}`;
  const words = isCostUnknown(earned) ? "cost unknown" : known;
  return `${monthText(earned.month, "long")}: revenue ${moneyText(earned.revenue, currency)}, ${words}`;
}

function partsOf({ revenue, cost }: Earned, top: number, currency: Currency) {
  const percent = (minor: bigint) => Math.max(0, (100 * toMajorNumber(minor, currency)) / top);
  const shownCost = cost < revenue ? cost : revenue;
  return [
    { className: "bg-chart-2", percent: percent(shownCost) },
    { className: "bg-chart-1", percent: percent(revenue - shownCost) },
  ];
}
