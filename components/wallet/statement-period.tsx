import Form from "next/form";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { TextField } from "#components/ui/field.tsx";
import { Link } from "#components/ui/link.tsx";

/** Days in UTC, `2027-01-31`; both included. */
export interface StatementDays {
  readonly from: string;
  readonly to: string;
}

interface PeriodPreset {
  readonly label: string;
  readonly href: string;
  readonly current: boolean;
}

export interface StatementPeriodProps {
  /** Where the statement is; its query says the days. */
  readonly path: string;
  readonly days: StatementDays;
  /** Months, then years. */
  readonly presets: readonly (readonly PeriodPreset[])[];
}

/** Which days a statement is of: the address says them, so a statement can be kept as a link. */
export function StatementPeriod({ path, days: { from, to }, presets }: StatementPeriodProps) {
  return (
    <div className="mb-5 flex flex-col gap-3" data-screen-only="">
      <nav
        aria-label="Usual periods"
        className="max-sm:-mx-4 flex gap-x-6 gap-y-1.5 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-0.5 sm:flex-wrap"
      >
        {presets.map((group) => (
          <ul className="flex gap-1.5 sm:flex-wrap" key={group[0]?.label}>
            {group.map(({ label, href, current }) => (
              <li className="shrink-0" key={label}>
                <Link
                  aria-current={current ? "true" : undefined}
                  className={cx(
                    "inline-flex h-7 items-center whitespace-nowrap rounded-full px-2.5 text-sm pointer-coarse:h-9",
                    current
                      ? "bg-accent-soft font-medium text-accent-text inset-ring inset-ring-accent-text/60"
                      : "text-text-muted inset-ring inset-ring-border hover:bg-surface-hover hover:text-text",
                  )}
                  href={href}
                  scroll={false}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <Form action={path} className="grid grid-cols-2 items-end gap-3 sm:flex" key={`${from} ${to}`} scroll={false}>
        <TextField defaultValue={from} label="From (UTC)" name="from" type="date" />
        <TextField defaultValue={to} label="To (UTC)" name="to" type="date" />
        <Button className="max-sm:col-span-2" type="submit">
          Show these days
        </Button>
      </Form>
    </div>
  );
}
