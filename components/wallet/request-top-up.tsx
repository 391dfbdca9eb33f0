"use client";
import { useState } from "react";
import type { requestTopUp } from "#app/(dashboard)/wallet/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { DialogButton, type DialogButtonProps } from "#components/ui/dialog-button.tsx";
import { SelectField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import type { PaymentGuide } from "#lib/services/wallet/payment-settings.ts";
import { parseAmount } from "./amount-field.tsx";
import { TopUpFields } from "./top-up-fields.tsx";
import { paymentMethodNames } from "./top-up-request.ts";

export interface RequestTopUpProps
  extends RequestedTopUp,
    Pick<DialogButtonProps, "askedBy" | "variant" | "size" | "icon"> {
  readonly children: string;
}

interface RequestedTopUp {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly action: typeof requestTopUp;
  /** Decimal text in major units that the form begins with. */
  readonly amount?: string;
  readonly guide: PaymentGuide;
}

/** A button, and the form that tells the administrators of a payment. */
export function RequestTopUp({
  currency,
  spendable,
  action,
  amount = "",
  guide,
  children,
  ...button
}: RequestTopUpProps) {
  const form = { currency, spendable, action, guide };
  return (
    <DialogButton {...button} label={children}>
      {(onClose, asked) => <RequestForm {...form} amount={asked ?? amount} onClose={onClose} />}
    </DialogButton>
  );
}

type RequestFormProps = Required<RequestedTopUp> & { readonly onClose: () => void };

function RequestForm({ currency, spendable, action, amount: given, guide, onClose }: RequestFormProps) {
  const [amountText, setAmountText] = useState(given);
  const [reference, setReference] = useState(guide.reference);
  const amount = parseAmount(amountText, currency);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={amount === null ? "Request" : `Request ${moneyText(amount, currency)}`}
      description="Tell the administrators what you have paid. Nothing is charged here."
      done={(requested) => ({
        title: `Top-up of ${moneyText(requested.amount, requested.currency)} requested`,
        description: "It is credited once an administrator has confirmed the payment.",
        tone: "positive",
      })}
      onClose={onClose}
      refusalNote="Nothing was requested."
      size="md"
      title="Request a top-up"
    >
      {guide.instructions !== "" && (
        <section aria-label="How to pay" className="rounded-md bg-surface-sunken p-3 text-sm">
          <p className="wrap-anywhere whitespace-pre-line">{guide.instructions}</p>
        </section>
      )}
      <TopUpFields
        afterLabel="Available balance once credited"
        amountText={amountText}
        currency={currency}
        method={
          <SelectField
            label="Paid by"
            name="method"
            options={Object.entries(paymentMethodNames).map(([value, label]) => ({ value, label }))}
          />
        }
        onAmountChange={setAmountText}
        onReferenceChange={setReference}
        reference={guide.reference}
        referenceButton={<CopyButton label="Copy reference" value={reference} />}
        referenceHint="Put it on your payment, or enter your own. Use each reference for one payment."
        spendable={spendable}
      />
    </ConfirmChange>
  );
}
