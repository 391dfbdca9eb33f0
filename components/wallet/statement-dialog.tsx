"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";

/** Days in UTC, `2027-01-31`; both included. */
export interface StatementPeriod {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

export interface StatementDialogProps {
  /** Where the file comes from. */
  readonly href: string;
  /** At least one; the first is chosen. */
  readonly periods: readonly [StatementPeriod, ...StatementPeriod[]];
}

const FORM_ID = "statement";

/** A button, and the choice of a period before the file is fetched. */
export function StatementDialog({ href, periods }: StatementDialogProps) {
  const [open, setOpen] = useState(false);
  const [{ from, to }, setPeriod] = useState<Omit<StatementPeriod, "label">>(periods[0]);
  return (
    <>
      <Button icon={<Download aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Statement
      </Button>
      <Dialog
        description="Every entry of the period with opening and closing balance, as CSV for spreadsheets and bookkeeping. Days in UTC."
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Close</Button>
            <Button form={FORM_ID} type="submit" variant="primary">
              Download CSV
            </Button>
          </>
        }
        onClose={() => setOpen(false)}
        open={open}
        size="sm"
        title="Statement"
      >
        <form action={href} className="flex flex-col gap-4" id={FORM_ID} method="get">
          <fieldset className="flex flex-wrap gap-2">
            <legend className="sr-only">Usual periods</legend>
            {periods.map((period) => (
              <Button
                aria-pressed={period.from === from && period.to === to}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text aria-pressed:inset-ring-accent-text/60"
                key={period.label}
                onClick={() => setPeriod(period)}
                size="sm"
              >
                {period.label}
              </Button>
            ))}
          </fieldset>
          <div className="grid grid-cols-2 gap-3">
            <Field label="From" name="from">
              {(control) => (
                <Input
                  {...control}
                  max={to}
                  onChange={({ target }) => setPeriod({ from: target.value, to })}
                  type="date"
                  value={from}
                />
              )}
            </Field>
            <Field label="To" name="to">
              {(control) => (
                <Input
                  {...control}
                  min={from}
                  onChange={({ target }) => setPeriod({ from, to: target.value })}
                  type="date"
                  value={to}
                />
              )}
            </Field>
          </div>
        </form>
      </Dialog>
    </>
  );
}
