import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Money } from "./money.tsx";

export interface CostLine {
  readonly label: string;
  readonly value: ReactNode;
  /** Stands out, e.g. the total. */
  readonly strong?: boolean;
}

/** A line of `minor` units of a currency. */
export function moneyLine(label: string, minor: bigint, currency: string, strong = false): CostLine {
  return { label, value: <Money currency={currency} minor={minor} />, strong };
}

/** What something costs and what is left, a line each. False: a line that does not apply. */
export function CostLines({ lines }: { readonly lines: readonly (CostLine | false)[] }) {
  return (
    <dl className="rounded-md bg-surface-sunken px-3 py-2 text-sm">
      {lines
        .filter((line) => line !== false)
        .map(({ label, value, strong = false }) => (
          <div className={cx("flex justify-between gap-4 py-0.5", strong && "font-medium")} key={label}>
            <dt className={strong ? undefined : "text-text-muted"}>{label}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
