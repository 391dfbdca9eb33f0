"use client";
import { useState } from "react";
import type { addPlayMoney } from "#app/(dashboard)/test-mode/actions.ts";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { toast } from "#components/ui/toast-store.ts";
import { AmountField } from "#components/wallet/amount-field.tsx";
import { useBalanceRefresh } from "#components/wallet/use-balance.ts";

export interface PlayMoneyFormProps {
  /** Suggested; decimal text in major units. */
  readonly amount: string;
  readonly currency: string;
  readonly action: typeof addPlayMoney;
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
