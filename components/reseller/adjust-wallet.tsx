"use client";
import { Scale } from "lucide-react";
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
import { Segmented } from "#components/ui/segmented.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { type Currency, parseMajor } from "#lib/domain/money.ts";
import type { AdjustInput, WalletCorrected } from "./correction.ts";

export interface AdjustWalletProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly action: OnceAction<AdjustInput, WalletCorrected>;
}

/** A button, and the form that corrects a wallet by hand. */
export function AdjustWallet(props: AdjustWalletProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Scale aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Adjust balance
      </Button>
      {open && <AdjustDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const labels = { amount: "Amount", reason: "Reason", reference: "Reference" };

function AdjustDialog({ currency, spendable, action, onClose }: AdjustWalletProps & { readonly onClose: () => void }) {
  const [direction, setDirection] = useState<"add" | "take">("add");
  const [amountText, setAmountText] = useState("");
  const [reason, setReason] = useState("");
  const [reference, setReference] = useState("");
  const parsed = parseMajor(amountText.trim(), currency as Currency);
  const amount = parsed !== null && parsed > 0n ? (direction === "add" ? parsed : -parsed) : null;
  const { pending, failure, send } = useSubmission(action, (adjusted) => {
    onClose();
    toast({
      title: `Adjusted by ${moneyText(adjusted.amount, adjusted.currency, true)}`,
      description: `The balance is now ${moneyText(adjusted.postedAfter, adjusted.currency)}.`,
      tone: "positive",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const after = spendable + (amount ?? 0n);
  return (
    <ConfirmDialog
      confirmLabel={amount === null ? "Adjust" : `Adjust by ${moneyText(amount, currency, true)}`}
      cost={[
        { label: "Available balance now", value: <Money currency={currency} minor={spendable} /> },
        after < 0n
          ? { label: "Too little by", value: <Money className="text-caution" currency={currency} minor={-after} /> }
          : { label: "Available balance after", value: <Money currency={currency} minor={after} /> },
      ]}
      description="A manual correction that is neither a top-up nor a refund. It stays in the ledger with your reason."
      onClose={onClose}
      onConfirm={() =>
        void send({ amount: direction === "take" ? `-${amountText.trim()}` : amountText.trim(), reason, reference })
      }
      open
      pending={pending}
      title="Adjust the balance"
    >
      <Segmented
        label="Direction"
        onValueChange={setDirection}
        options={[
          { value: "add", label: "Add money" },
          { value: "take", label: "Take money" },
        ]}
        value={direction}
      />
      <Field error={problemOf(problems, "amount")} label={`Amount in ${currency}`} name="amount">
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="tabular"
            data-autofocus
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
          <Textarea {...control} onChange={({ target }) => setReason(target.value)} rows={2} value={reason} />
        )}
      </Field>
      <Field error={problemOf(problems, "reference")} label="Reference" name="reference" optional>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            onChange={({ target }) => setReference(target.value)}
            spellCheck={false}
            value={reference}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}
