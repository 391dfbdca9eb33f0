import { EqualNot } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";

export interface SideFact {
  readonly term: string;
  readonly value: ReactNode;
  /** The other side says otherwise. */
  readonly differs?: boolean;
  readonly mono?: boolean;
}

export interface Side {
  readonly title: string;
  readonly facts: readonly SideFact[];
}

/** What ledger, License Desk and provider say of one license, side by side; those with little to say share a column. */
export function CaseSides({ sides }: { readonly sides: readonly Side[] }) {
  const brief = sides.filter(({ facts }) => facts.length === 1);
  const stacked =
    brief.length > 1 ? [brief, ...sides.filter((side) => !brief.includes(side)).map((side) => [side])] : [];
  const columns = stacked.length > 0 ? stacked : sides.map((side) => [side]);
  return (
    <div className={cx("grid gap-4", columns.length === 2 ? "md:grid-cols-2" : "md:grid-cols-3")}>
      {columns.map((column) => (
        <div className="flex flex-col gap-4 *:flex-1" key={column[0]?.title}>
          {column.map(({ title, facts }) => (
            <Card key={title} title={title}>
              <dl className="-mx-2 flex flex-col text-sm">
                {facts.map((fact) => (
                  <SideLine fact={fact} key={fact.term} />
                ))}
              </dl>
            </Card>
          ))}
        </div>
      ))}
    </div>
  );
}

function SideLine({ fact: { term, value, differs = false, mono = false } }: { readonly fact: SideFact }) {
  return (
    <div
      className={cx(
        "flex min-h-8 flex-wrap items-center justify-between gap-x-4 rounded-md px-2 py-1",
        differs && "bg-caution-soft",
      )}
    >
      <dt className="flex items-center gap-1.5 text-text-muted">
        {term}
        {differs && (
          <>
            <EqualNot className="size-3.5 text-caution" />
            <span className="sr-only">, differs</span>
          </>
        )}
      </dt>
      <dd className={cx("wrap-anywhere text-right", mono && "font-mono text-xs", differs && "font-medium")}>{value}</dd>
    </div>
  );
}
