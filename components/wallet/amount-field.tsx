import type { ReactNode } from "react";
import { TextField } from "#components/ui/field.tsx";
import type { Currency } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

/** Minor units of what was typed in major ones; null unless it is an amount above zero. */
export function parseAmount(text: string, currency: string): bigint | null {
  const { minor = 0n } = parseTypedAmount(text, currency as Currency);
  return minor > 0n ? minor : null;
}

export interface AmountFieldProps {
  readonly currency: string;
  readonly value: string;
  readonly onValueChange: (text: string) => void;
  readonly hint?: ReactNode;
  /** Has the focus when its dialog opens. */
  readonly isFirst?: boolean;
}

/** The field `amount` of a form that moves money. */
export function AmountField({ currency, value, onValueChange, hint, isFirst = false }: AmountFieldProps) {
  return (
    <TextField
      className="tabular"
      data-autofocus={isFirst ? true : undefined}
      hint={hint}
      inputMode="decimal"
      label={`Amount in ${currency}`}
      name="amount"
      onChange={({ target }) => onValueChange(target.value)}
      value={value}
    />
  );
}
