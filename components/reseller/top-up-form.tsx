"use client";
import { useState } from "react";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { useMeant } from "#components/form/use-meant.ts";
import { Card } from "#components/ui/card.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { parseAmount } from "#components/wallet/amount-field.tsx";
import { MeantAmountQuestion } from "#components/wallet/meant-amount-question.tsx";
import { TopUpFields } from "#components/wallet/top-up-fields.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface TopUpInput {
  /** As typed, in major units. */
  readonly amount: string;
  /** The same, if it is large and meant; empty until that was asked. */
  readonly meant_amount: string;
  readonly reference: string;
  readonly note: string;
}

/** Minor units. */
export interface ToppedUp {
  readonly amount: string;
  readonly postedAfter: string;
  readonly currency: string;
}

export interface TopUpFormProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly action: OnceAction<TopUpInput, ToppedUp>;
}

export function TopUpForm({ currency, spendable, action }: TopUpFormProps) {
  const [amountText, setAmountText] = useState("");
  const amount = parseAmount(amountText, currency);
  const form = useForm(action, (topped, element) => {
    element?.reset();
    setAmountText("");
    toast({
      title: `Topped up by ${moneyText(topped.amount, topped.currency)}`,
      description: `The balance is now ${moneyText(topped.postedAfter, topped.currency)}.`,
      tone: "positive",
    });
  });
  const meant = useMeant(form.failure, "meant_amount");
  return (
    <Card title="Top up">
      <Form
        form={form}
        input={(textOf) => ({ meant_amount: meant.answerFor(textOf("amount")) })}
        primary
        refusalNote="Nothing was credited."
        submitLabel={amount === null ? "Top up" : `Top up by ${moneyText(amount, currency)}`}
        wide
      >
        <TopUpFields
          afterLabel="Available balance after"
          amountText={amountText}
          currency={currency}
          onAmountChange={setAmountText}
          referenceHint="The reference on the payment. It is never credited twice."
          referenceOptional
          spendable={spendable}
        />
        <MeantAmountQuestion {...meant} currency={currency} />
      </Form>
    </Card>
  );
}
