import { monthText } from "#components/ui/format-time.ts";
import { Money } from "#components/ui/money.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { addEarned, type Earned, NOTHING_EARNED } from "#lib/domain/margin.ts";
import { formatMonth } from "#lib/domain/months.ts";
import { isCostUnknown, Margin } from "./earned-table.tsx";

export interface EarnedFiguresProps {
  readonly rows: readonly (Earned & { readonly month: Date; readonly currency: string })[];
  readonly currency: string;
  readonly month: Date;
}

/** Revenue of the chosen month, and cost and margin if anything is known of them. */
export function EarnedFigures({ rows, currency, month }: EarnedFiguresProps) {
  const earned = rows
    .filter((row) => row.currency === currency && formatMonth(row.month) === formatMonth(month))
    .reduce<Earned>(addEarned, NOTHING_EARNED);
  const figures = [
    { term: "Revenue", value: <Money currency={currency} minor={earned.revenue} /> },
    ...(isCostUnknown(earned)
      ? []
      : [
          {
            term: earned.uncosted === 0n ? "Provider cost" : "Known provider cost",
            value: <Money currency={currency} minor={earned.cost} />,
          },
          { term: "Margin", value: <Margin {...earned} currency={currency} /> },
        ]),
  ];
  return (
    <section aria-label={`Figures of ${monthText(month, "long")}`}>
      <dl className="grid gap-px overflow-clip rounded-lg border bg-border shadow-raised sm:auto-cols-fr sm:grid-flow-col">
        {figures.map(({ term, value }) => (
          <div className="bg-surface px-4 py-3.5 max-sm:flex max-sm:items-baseline max-sm:justify-between" key={term}>
            <dt className="text-sm text-text-muted">
              {term}, {monthText(month, "long")}
            </dt>
            <dd className="tabular font-semibold text-2xl tracking-tight max-sm:text-lg">{value}</dd>
          </div>
        ))}
      </dl>
      {earned.uncosted !== 0n && (
        <p className="mt-1.5 text-text-muted text-xs">
          No margin: <Money currency={currency} minor={earned.uncosted} /> of this revenue had no known cost in{" "}
          {currency} when it was charged. For future charges, import costs from{" "}
          <TextLink href="/providers">the provider</TextLink>.
        </p>
      )}
    </section>
  );
}
