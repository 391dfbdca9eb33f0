"use client";
import { type FormEvent, useRef, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { parseTopUp, TopUpFields } from "#components/wallet/top-up-fields.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface TopUpInput {
  /** Decimal text in major units. */
  readonly amount: string;
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

const labels = { amount: "Amount", reference: "Reference", note: "Note" };

export function TopUpForm({ currency, spendable, action }: TopUpFormProps) {
  const formRef = useRef<HTMLFormElement>(null);
  const [amountText, setAmountText] = useState("");
  const amount = parseTopUp(amountText, currency);
  const { pending, failure, send } = useSubmission(action, (topped) => {
    formRef.current?.reset();
    setAmountText("");
    toast({
      title: `Topped up by ${moneyText(topped.amount, topped.currency)}`,
      description: `The balance is now ${moneyText(topped.postedAfter, topped.currency)}.`,
      tone: "positive",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void send({
      amount: String(form.get("amount")),
      reference: String(form.get("reference")),
      note: String(form.get("note")),
    });
  }

  return (
    <Card title="Top up">
      <form className="flex flex-col gap-4" noValidate onSubmit={submit} ref={formRef}>
        <ErrorSummary problems={problems} />
        <TopUpFields
          afterLabel="Available balance after"
          amountText={amountText}
          currency={currency}
          onAmountChange={setAmountText}
          problems={problems}
          referenceHint="Of the payment. The same reference is never credited twice."
          referenceOptional
          spendable={spendable}
        />
        {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was credited." />}
        <Button loading={pending} type="submit" variant="primary">
          {amount === null ? "Top up" : `Top up by ${moneyText(amount, currency)}`}
        </Button>
      </form>
    </Card>
  );
}
