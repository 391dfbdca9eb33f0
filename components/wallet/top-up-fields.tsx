"use client";
import type { ReactNode } from "react";
import { CostLines } from "#components/ui/cost-lines.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { Money } from "#components/ui/money.tsx";
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
  /** What becomes of the balance, e.g. "Once it is credited". */
  readonly afterLabel: string;
  readonly referenceHint: string;
  readonly referenceOptional?: boolean;
  /** Beside the amount. */
  readonly method?: ReactNode;
}

/** Amount, reference and note of a payment, and what the balance is with it. */
export function TopUpFields(props: TopUpFieldsProps) {
  const { currency, spendable, amountText, method } = props;
  const amount = parseTopUp(amountText, currency);
  const amountField = (
    <TextField
      className="tabular"
      data-autofocus
      inputMode="decimal"
      label={`Amount in ${currency}`}
      name="amount"
      onChange={({ target }) => props.onAmountChange(target.value)}
      value={amountText}
    />
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
      <TextField
        hint={props.referenceHint}
        label="Reference"
        name="reference"
        optional={props.referenceOptional ?? false}
        spellCheck={false}
      />
      <TextareaField label="Note" name="note" optional rows={2} />
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
