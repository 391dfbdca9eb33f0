import { Key } from "#components/chart/key.tsx";
import { Card } from "#components/ui/card.tsx";
import { atEnd } from "#components/ui/column.ts";
import { cx } from "#components/ui/cx.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { monthText } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { compactMoneyText, moneyText } from "#components/ui/money-text.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import type { Spend } from "#lib/services/overview/get.ts";

/** From the product that costs the most on; the last one is for all others. */
const fills = ["bg-chart-1", "bg-chart-2", "bg-chart-3", "bg-chart-4", "bg-chart-5"];

interface SpendCardProps {
  /** The first instants of the months, oldest first. */
  readonly months: readonly Date[];
  readonly spend: readonly Spend[];
  readonly currency: string;
}

/** Charges less refunds, by month and product: bars to see it, a table to read it. */
export function SpendCard({ months: shown, spend, currency }: SpendCardProps) {
  const groups = groupSpend(shown, spend);
  const { products, months } = groups;
  const top = months.map(({ amounts }) => stackOf(amounts)).reduce((most, stack) => (stack > most ? stack : most), 0n);
  const hasNegative = months.some(({ amounts }) => amounts.some((amount) => amount < 0n));
  return (
    <Card description="Charges less refunds and credits, by month (UTC)" title="Spend">
      {spend.length === 0 ? (
        <p className="text-sm text-text-muted">Nothing was spent in the last {months.length} months.</p>
      ) : (
        <>
          <div aria-hidden>
            <ol className="flex h-40 items-stretch gap-2 border-b sm:gap-4">
              {months.map((month) => (
                <Bar currency={currency} key={month.month.getTime()} month={month} top={top} />
              ))}
            </ol>
            <ol className="mt-1 flex gap-2 text-center text-text-muted text-xs sm:gap-4">
              {months.map(({ month, total }) => (
                <li className="min-w-0 flex-1" key={month.getTime()}>
                  {monthText(month, "short")}
                  {total !== 0n && (
                    <>
                      <span className="tabular block font-medium text-text sm:hidden">
                        {compactMoneyText(toMajorNumber(total, currency as Currency), currency)}
                      </span>
                      <span className="tabular block font-medium text-text max-sm:hidden">
                        {moneyText(total, currency)}
                      </span>
                    </>
                  )}
                </li>
              ))}
            </ol>
            <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-text-muted text-xs">
              {products.map((name, index) => (
                <Key className={cx("size-2.5 rounded-xs", fills[index])} key={name}>
                  {name}
                </Key>
              ))}
            </p>
          </div>
          {hasNegative && (
            <p className="mt-2 text-text-muted text-xs">
              Amounts below zero, where refunds and credits exceed charges, have no bar.
            </p>
          )}
          <Disclosure className="mt-3" openSummary="Hide table" summary="Show as a table">
            <SpendTable currency={currency} {...groups} />
          </Disclosure>
        </>
      )}
    </Card>
  );
}

/** What is below zero has no bar. */
function stackOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => (amount > 0n ? sum + amount : sum), 0n);
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
  const share = (amount: bigint) => Number((amount * 10_000n) / top) / 100;
  return (
    <li
      className="flex min-w-0 flex-1 flex-col justify-end"
      title={`${monthText(month.month, "long")}: ${moneyText(month.total, currency)}`}
    >
      <div className="mx-auto flex w-full max-w-14 flex-1 flex-col-reverse gap-0.5">
        {month.amounts.map(
          (amount, index) =>
            amount > 0n && (
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

/** Starts at the first month with charges, refunds or credits. */
function SpendTable({ products, months, currency }: ReturnType<typeof groupSpend> & { readonly currency: string }) {
  return (
    <div className="-mx-4 mt-2 -mb-4 border-t">
      <Table columns={["Month", atEnd("Total"), ...products.map(atEnd)]} label="Spend by month and product" scrolls>
        {months
          .slice(months.findIndex(({ amounts }) => amounts.some((amount) => amount !== 0n)))
          .map(({ month, amounts, total }) => (
            <Row key={month.getTime()}>
              <Cell phone="title">
                <span className="whitespace-nowrap">{monthText(month, "long")}</span>
              </Cell>
              <Cell align="end" phone="corner">
                <Money className="font-medium" currency={currency} minor={total} />
              </Cell>
              {amounts.map((amount, index) => (
                <Cell
                  align="end"
                  key={products[index]}
                  label={products[index] ?? ""}
                  muted
                  phone={amount === 0n ? "hidden" : "line"}
                >
                  <Money currency={currency} minor={amount} />
                </Cell>
              ))}
            </Row>
          ))}
      </Table>
    </div>
  );
}

const MAX_PRODUCTS = 4;

interface SpendMonth {
  /** Its first instant in UTC. */
  readonly month: Date;
  /** In the order of `SpendGroups.products`. */
  readonly amounts: readonly bigint[];
  readonly total: bigint;
}

interface SpendGroups {
  readonly products: readonly string[];
  readonly months: readonly SpendMonth[];
}

/** The products that cost the most have their own share, all others one together. */
function groupSpend(months: readonly Date[], spend: readonly Spend[]): SpendGroups {
  const totals = new Map<string, bigint>();
  for (const { name, amount } of spend) totals.set(name, (totals.get(name) ?? 0n) + amount);
  const ranked = [...totals].toSorted(([, one], [, other]) => Number(other - one)).map(([name]) => name);
  const named = ranked.slice(0, MAX_PRODUCTS);
  const rest = ranked.slice(MAX_PRODUCTS);
  const groups = [...named.map((name) => [name]), ...(rest.length > 0 ? [rest] : [])];
  return {
    products: [...named, ...(rest.length > 0 ? ["Others"] : [])],
    months: months.map((month) => {
      const rows = spend.filter((row) => row.month.getTime() === month.getTime());
      const sumOf = (names: readonly string[]) =>
        rows.reduce((sum, { name, amount }) => (names.includes(name) ? sum + amount : sum), 0n);
      return {
        month,
        amounts: groups.map((names) => sumOf(names)),
        total: sumOf(ranked),
      };
    }),
  };
}
