"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { type Currency, parseMajor, toMajorText } from "#lib/domain/money.ts";
import type { RefundInput, WalletCorrected } from "./correction.ts";

/** Money: minor units. */
export interface RefundChargeProps {
  readonly operationId: string;
  /** E.g. "Renewal, Mail Gateway on mx1.example.com (lic_12)". */
  readonly name: string;
  readonly charged: bigint;
  /** What is left of the charge after earlier refunds and credits. */
  readonly refundable: bigint;
  readonly spendable: bigint;
  readonly currency: string;
  readonly action: OnceAction<RefundInput, WalletCorrected>;
}

/** The button beside a charge, and the form that gives it back. */
export function RefundCharge(props: RefundChargeProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button aria-label={`Refund ${props.name}`} onClick={() => setOpen(true)} size="sm">
        Refund
      </Button>
      {open && <RefundDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const labels = { amount: "Amount", reason: "Reason" };

function RefundDialog(props: RefundChargeProps & { readonly onClose: () => void }) {
  const { operationId, name, charged, refundable, spendable, currency, action, onClose } = props;
  const [amountText, setAmountText] = useState(toMajorText(refundable, currency as Currency));
  const [reason, setReason] = useState("");
  const parsed = parseMajor(amountText.trim(), currency as Currency);
  const amount = parsed !== null && parsed > 0n ? parsed : null;
  const { pending, failure, send } = useSubmission(action, (refunded) => {
    onClose();
    toast({
      title: `${moneyText(refunded.amount, refunded.currency)} refunded`,
      description: `The balance is now ${moneyText(refunded.postedAfter, refunded.currency)}.`,
      tone: "positive",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  return (
    <ConfirmDialog
      confirmLabel={amount === null ? "Refund" : `Refund ${moneyText(amount, currency)}`}
      cost={[
        { label: "Charged", value: <Money currency={currency} minor={charged} /> },
        { label: "Left to refund", value: <Money currency={currency} minor={refundable} /> },
        { label: "Available balance now", value: <Money currency={currency} minor={spendable} /> },
        {
          label: "Available balance after",
          value: <Money currency={currency} minor={spendable + (amount ?? 0n)} />,
        },
      ]}
      description={`${name}. What was bought stays as it is.`}
      onClose={onClose}
      onConfirm={() => void send({ operation_id: operationId, amount: amountText, reason })}
      open
      pending={pending}
      title="Refund this charge?"
    >
      <Field
        error={problemOf(problems, "amount")}
        hint={`At most ${moneyText(refundable, currency)}.`}
        label={`Amount in ${currency}`}
        name="amount"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="tabular"
            inputMode="decimal"
            onChange={({ target }) => setAmountText(target.value)}
            value={amountText}
          />
        )}
      </Field>
      <Field
        error={problemOf(problems, "reason")}
        hint="The reseller reads it in the ledger."
        label="Reason"
        name="reason"
      >
        {(control) => (
          <Textarea
            {...control}
            data-autofocus
            onChange={({ target }) => setReason(target.value)}
            rows={2}
            value={reason}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was refunded." />}
    </ConfirmDialog>
  );
}
