import { atEnd } from "#components/ui/column.ts";
import { Money } from "#components/ui/money.tsx";
import { Cell, Row, RowLink, Table } from "#components/ui/table.tsx";
import { type Earned, marginOf } from "#lib/domain/margin.ts";

export interface EarnedTableProps {
  readonly label: string;
  /** What the lines are. */
  readonly first: string;
  readonly currency: string;
  readonly lines: readonly (Earned & { readonly name: string; readonly href: string | null })[];
}

/** Revenue, cost and margin of each line; without a column of which no line is known. */
export function EarnedTable({ label, first, currency, lines }: EarnedTableProps) {
  if (lines.length === 0) return <p className="mt-1 text-sm text-text-muted">Nothing was charged.</p>;
  // Of a line without anything all is known.
  const earning = lines.filter(({ revenue, cost, uncosted }) => revenue !== 0n || cost !== 0n || uncosted !== 0n);
  const hasCosts = earning.some((line) => !isCostUnknown(line));
  const hasMargins = earning.some((line) => marginOf(line) !== null);
  return (
    <div className="-mx-4 mt-2 -mb-4 border-t">
      <Table
        columns={[first, atEnd("Revenue"), hasCosts && atEnd("Provider cost"), hasMargins && atEnd("Margin")]}
        label={label}
      >
        {lines.map((line) => (
          <Row key={line.href ?? line.name}>
            <Cell phone="title">
              <span className="wrap-anywhere block">
                {line.href === null ? line.name : <RowLink href={line.href}>{line.name}</RowLink>}
              </span>
            </Cell>
            <Cell align="end" phone="corner">
              <Money className="font-medium" currency={currency} minor={line.revenue} />
            </Cell>
            {hasCosts && (
              <Cell align="end" label="Provider cost" muted phone={isCostUnknown(line) ? "hidden" : "line"}>
                <Cost {...line} currency={currency} />
              </Cell>
            )}
            {hasMargins && (
              <Cell align="end" label="Margin" phone={marginOf(line) === null ? "hidden" : "line"}>
                <Margin {...line} currency={currency} />
              </Cell>
            )}
          </Row>
        ))}
      </Table>
    </div>
  );
}

type CellProps = Earned & { readonly currency: string };

export const isCostUnknown = ({ cost, uncosted }: Earned) => cost === 0n && uncosted !== 0n;

function Cost({ currency, ...earned }: CellProps) {
  if (isCostUnknown(earned)) return "–";
  return (
    <span>
      {earned.uncosted !== 0n && "at least "}
      <Money currency={currency} minor={earned.cost} />
    </span>
  );
}

export function Margin({ currency, ...earned }: CellProps) {
  const margin = marginOf(earned);
  if (margin === null) return <span className="text-text-muted">–</span>;
  return (
    <span>
      <Money currency={currency} minor={margin} />
      {earned.revenue > 0n && (
        <span className="tabular ml-1.5 text-text-muted">
          {Math.round(Number((margin * 1000n) / earned.revenue) / 10)} %
        </span>
      )}
    </span>
  );
}
