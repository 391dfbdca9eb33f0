"use client";
import { MeantQuestion } from "#components/form/meant-question.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { Currency } from "#lib/domain/money.ts";
import { parseTypedAmount } from "#lib/domain/typed-amount.ts";

/** Below the amount of a form that moves money, once the server has asked about a large one. */
export function MeantAmountQuestion({ currency }: { readonly currency: string }) {
  return (
    <MeantQuestion
      about="amount"
      label="Large amount"
      name="meant_amount"
      show={(text) => {
        const { minor } = parseTypedAmount(text, currency as Currency);
        return minor === undefined ? null : moneyText(minor, currency);
      }}
    />
  );
}
