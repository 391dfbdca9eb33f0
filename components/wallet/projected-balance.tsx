import { Bars } from "#components/chart/bars.tsx";
import { scaleTop } from "#components/chart/scale.ts";
import { atEnd } from "#components/ui/column.ts";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { formatTime } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { compactMoneyText, moneyText } from "#components/ui/money-text.ts";
import { Cell, Row, Table } from "#components/ui/table.tsx";
import { dateFormat } from "#lib/domain/format-locale.ts";
import { type Currency, toMajorNumber } from "#lib/domain/money.ts";
import type { ProjectedBalance as Projected } from "#lib/domain/projected-balance.ts";

interface ProjectedBalanceProps {
  readonly projected: readonly Projected[];
  readonly currency: string;
}

const dayFormat = () => dateFormat({ month: "short", day: "numeric", timeZone: "UTC" });

const barOf = (percent: number) => ({ className: "bg-chart-1", percent });

/** A bar on, or hanging from, a zero line in the middle. */
function aroundZero(percent: number, isMissing: boolean) {
  if (!isMissing) return [{ className: "invisible", percent: 50 }, barOf(percent)];
  const fill = { className: "rounded-t-none! rounded-b-sm bg-critical-fill", percent };
  return [{ className: "invisible", percent: 50 - percent }, fill];
}

/** The balance week by week if everything renews: bars to see when it runs out, a table to read it. */
export function ProjectedBalance({ projected, currency }: ProjectedBalanceProps) {
  const major = (minor: bigint) => toMajorNumber(minor < 0n ? -minor : minor, currency as Currency);
  const top = scaleTop(Math.max(...projected.map(({ balance }) => major(balance))));
  const runsOut = projected.some(({ balance }) => balance < 0n);
  return (
    <div>
      <h3 className="font-medium text-sm">Projected balance</h3>
      <p className="mb-2 text-text-muted text-xs">
        At the end of each week (UTC), if every renewal is charged.{runsOut && " Below zero is what is missing."}
      </p>
      <Bars
        bars={projected.map(({ at, balance }, index) => ({
          label: dayFormat().format(at),
          text: `${formatTime(at, "date", "UTC")}: ${
            balance < 0n ? `${moneyText(-balance, currency)} missing` : `${moneyText(balance, currency)} left`
          }`,
          href: null,
          chosen: index === projected.length - 1,
          parts: runsOut
            ? aroundZero((50 * major(balance)) / top, balance < 0n)
            : [barOf((100 * major(balance)) / top)],
        }))}
        label="Projected balance by week"
        ticks={
          runsOut
            ? [compactMoneyText(top, currency), compactMoneyText(0, currency), compactMoneyText(-top, currency)]
            : [compactMoneyText(top, currency), compactMoneyText(top / 2, currency), compactMoneyText(0, currency)]
        }
      />
      <Disclosure className="mt-2" openSummary="Hide table" summary="Show as a table">
        <div className="mt-2 rounded-md border">
          <Table columns={["Until (UTC)", atEnd("Balance")]} compact label="Projected balance by week">
            {projected.map(({ at, balance }) => (
              <Row key={at.getTime()}>
                <Cell>{formatTime(at, "date", "UTC")}</Cell>
                <Cell align="end">
                  <Money currency={currency} minor={balance} />
                </Cell>
              </Row>
            ))}
          </Table>
        </div>
      </Disclosure>
    </div>
  );
}
