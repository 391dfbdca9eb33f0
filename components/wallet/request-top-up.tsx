"use client";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import type { ButtonSize, ButtonVariant } from "#components/ui/button-style.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { parseTopUp, TopUpFields } from "./top-up-fields.tsx";
import { paymentMethodNames, type TopUpRequestInput } from "./top-up-request.ts";

export interface RequestTopUpProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly action: OnceAction<TopUpRequestInput, { readonly amount: string; readonly currency: string }>;
  /** Decimal text in major units that the form begins with. */
  readonly amount?: string;
  /** Opens at once. */
  readonly defaultOpen?: boolean;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

const labels = { amount: "Amount", method: "Paid by", reference: "Reference", note: "Note" };

/** A button, and the form that tells the administrators of a payment. */
export function RequestTopUp({
  defaultOpen = false,
  variant = "secondary",
  size = "md",
  icon,
  children,
  ...form
}: RequestTopUpProps) {
  const [open, setOpen] = useState(defaultOpen);
  return (
    <>
      <Button icon={icon} onClick={() => setOpen(true)} size={size} variant={variant}>
        {children}
      </Button>
      {open && <RequestForm {...form} onClose={() => setOpen(false)} />}
    </>
  );
}

type RequestFormProps = Pick<RequestTopUpProps, "currency" | "spendable" | "action" | "amount"> & {
  readonly onClose: () => void;
};

function RequestForm({ currency, spendable, action, amount: given = "", onClose }: RequestFormProps) {
  const formId = useId();
  const [amountText, setAmountText] = useState(given);
  const amount = parseTopUp(amountText, currency);
  const { pending, failure, send } = useSubmission(action, (requested) => {
    onClose();
    toast({
      title: `Top-up of ${moneyText(requested.amount, requested.currency)} requested`,
      description: "It is credited once an administrator has confirmed the payment.",
      tone: "positive",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void send({
      amount: String(form.get("amount")),
      method: String(form.get("method")),
      reference: String(form.get("reference")),
      note: String(form.get("note")),
    });
  }

  return (
    <Dialog
      description="Tell the administrators what you have paid. Nothing is charged here."
      dismissible={!pending}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button form={formId} loading={pending} type="submit" variant="primary">
            {amount === null ? "Request" : `Request ${moneyText(amount, currency)}`}
          </Button>
        </>
      }
      onClose={onClose}
      open
      title="Request a top-up"
    >
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={submit}>
        <ErrorSummary problems={problems} />
        <TopUpFields
          afterLabel="Once it is credited"
          amountText={amountText}
          currency={currency}
          method={
            <Field error={problemOf(problems, "method")} label="Paid by" name="method">
              {(control) => (
                <Select
                  {...control}
                  options={Object.entries(paymentMethodNames).map(([value, label]) => ({ value, label }))}
                />
              )}
            </Field>
          }
          onAmountChange={setAmountText}
          problems={problems}
          referenceHint="How the payment can be found, such as the transfer number. Each reference is good for one payment."
          spendable={spendable}
        />
        {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was requested." />}
      </form>
    </Dialog>
  );
}
