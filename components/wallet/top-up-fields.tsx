"use client";
import type { ReactNode } from "react";
import { CostLines, moneyLine } from "#components/ui/cost-lines.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { AmountField, parseAmount } from "./amount-field.tsx";

export interface TopUpFieldsProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly amountText: string;
  readonly onAmountChange: (text: string) => void;
  /** What becomes of the balance, e.g. "Once it is credited". */
  readonly afterLabel: string;
  /** Suggested. */
  readonly reference?: string;
  readonly onReferenceChange?: (text: string) => void;
  readonly referenceHint: string;
  /** In the reference's field. */
  readonly referenceButton?: ReactNode;
  readonly referenceOptional?: boolean;
  /** Beside the amount. */
  readonly method?: ReactNode;
}

/** Amount, reference and note of a payment, and what the balance is with it. */
export function TopUpFields(props: TopUpFieldsProps) {
  const { currency, spendable, amountText, method } = props;
  const amount = parseAmount(amountText, currency);
  const amountField = (
    <AmountField currency={currency} isFirst onValueChange={props.onAmountChange} value={amountText} />
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
        button={props.referenceButton}
        defaultValue={props.reference}
        hint={props.referenceHint}
        label="Reference"
        name="reference"
        onChange={({ target }) => props.onReferenceChange?.(target.value)}
        optional={props.referenceOptional ?? false}
        spellCheck={false}
      />
      <TextareaField label="Note" name="note" optional />
      <div role="status">
        <CostLines
          lines={[
            moneyLine("Available balance now", spendable, currency),
            amount !== null && moneyLine(props.afterLabel, spendable + amount, currency, true),
          ]}
        />
      </div>
    </>
  );
}
