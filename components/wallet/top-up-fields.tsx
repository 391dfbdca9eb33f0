"use client";
import type { ReactNode } from "react";
import { problemOf } from "#components/form/use-field-problems.ts";
import { CostLines } from "#components/ui/cost-lines.tsx";
import type { FieldProblem } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Money } from "#components/ui/money.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { type Currency, parseMajor } from "#lib/domain/money.ts";

/** Minor units of what was typed in major ones; null unless it is an amount above zero. */
export function parseTopUp(text: string, currency: string): bigint | null {
  const amount = parseMajor(text.trim(), currency as Currency);
  return amount !== null && amount > 0n ? amount : null;
}

export interface TopUpFieldsProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly amountText: string;
  readonly onAmountChange: (text: string) => void;
  readonly problems: readonly FieldProblem[];
  /** What becomes of the balance, e.g. "Once it is credited". */
  readonly afterLabel: string;
  readonly referenceHint: string;
  readonly referenceOptional?: boolean;
  /** Beside the amount. */
  readonly method?: ReactNode;
}

/** Amount, reference and note of a payment, and what the balance is with it. */
export function TopUpFields(props: TopUpFieldsProps) {
  const { currency, spendable, amountText, problems, method } = props;
  const amount = parseTopUp(amountText, currency);
  const amountField = (
    <Field error={problemOf(problems, "amount")} label={`Amount in ${currency}`} name="amount">
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          className="tabular"
          inputMode="decimal"
          onChange={({ target }) => props.onAmountChange(target.value)}
          value={amountText}
        />
      )}
    </Field>
  );
  return (
    <>
      {method ? (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          {amountField}
          {method}
        </div>
      ) : (
        amountField
      )}
      <Field
        error={problemOf(problems, "reference")}
        hint={props.referenceHint}
        label="Reference"
        name="reference"
        optional={props.referenceOptional ?? false}
      >
        {(control) => <Input {...control} autoComplete="off" spellCheck={false} />}
      </Field>
      <Field error={problemOf(problems, "note")} label="Note" name="note" optional>
        {(control) => <Textarea {...control} rows={2} />}
      </Field>
      <div role="status">
        <CostLines
          lines={[
            { label: "Available balance now", value: <Money currency={currency} minor={spendable} /> },
            ...(amount === null
              ? []
              : [
                  {
                    label: props.afterLabel,
                    value: <Money currency={currency} minor={spendable + amount} />,
                    strong: true,
                  },
                ]),
          ]}
        />
      </div>
    </>
  );
}
