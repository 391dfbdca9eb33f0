"use client";
import { useState } from "react";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { toast } from "#components/ui/toast-store.ts";
import { AmountField } from "#components/wallet/amount-field.tsx";
import { useBalanceRefresh } from "#components/wallet/use-balance.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface PlayMoneyFormProps {
  /** Suggested; decimal text in major units. */
  readonly amount: string;
  readonly currency: string;
  readonly action: OnceAction<{ readonly amount: string }>;
}

export function PlayMoneyForm({ amount: suggested, currency, action }: PlayMoneyFormProps) {
  const [amount, setAmount] = useState(suggested);
  const refreshBalance = useBalanceRefresh();
  const form = useForm(action, () => {
    refreshBalance();
    toast({ title: "Play money added", tone: "positive" });
  });
  return (
    <Form form={form} submitLabel="Add play money">
      <AmountField currency={currency} onValueChange={setAmount} value={amount} />
    </Form>
  );
}
