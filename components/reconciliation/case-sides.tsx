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

/** What ledger, License Desk and provider say of one license, side by side. */
export function CaseSides({ sides }: { readonly sides: readonly Side[] }) {
  return (
    <div className="grid gap-4 md:grid-cols-3">
      {sides.map(({ title, facts }) => (
        <Card key={title} title={title}>
          <dl className="-mx-2 flex flex-col text-sm">
            {facts.map((fact) => (
              <SideLine fact={fact} key={fact.term} />
            ))}
          </dl>
        </Card>
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
            <EqualNot aria-hidden className="size-3.5 text-caution" />
            <span className="sr-only">, differs</span>
          </>
        )}
      </dt>
      <dd className={cx("wrap-anywhere text-right", mono && "font-mono text-xs", differs && "font-medium")}>{value}</dd>
    </div>
  );
}
