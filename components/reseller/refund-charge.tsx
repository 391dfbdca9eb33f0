"use client";
import { useState } from "react";
import type { refund } from "#app/(dashboard)/resellers/[id]/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { moneyLine } from "#components/ui/cost-lines.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { AmountField, parseAmount } from "#components/wallet/amount-field.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import { correctedToast } from "./correction.ts";

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
  readonly action: Bound<typeof refund>;
}

/** The button beside a charge, and the form that gives it back. */
export function RefundCharge(props: RefundChargeProps) {
  return (
    <DialogButton
      aria-label={`Refund ${props.name}, ${moneyText(props.charged, props.currency)}`}
      className="max-md:-my-1 max-md:pointer-coarse:-my-2 -mr-2.5"
      label="Refund"
      size="sm"
      variant="link"
    >
      {(onClose) => <RefundDialog {...props} onClose={onClose} />}
    </DialogButton>
  );
}

function RefundDialog(props: RefundChargeProps & { readonly onClose: () => void }) {
  const { operationId, name, charged, refundable, spendable, currency, action, onClose } = props;
  const [amountText, setAmountText] = useState(toMajorText(refundable, currency as Currency));
  const amount = parseAmount(amountText, currency);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={amount === null ? "Refund" : `Refund ${moneyText(amount, currency)}`}
      cost={[
        moneyLine("Charged", charged, currency),
        moneyLine("Left to refund", refundable, currency),
        moneyLine("Available balance now", spendable, currency),
        moneyLine("Available balance after", spendable + (amount ?? 0n), currency),
      ]}
      description={`${name}. The license or bundle stays as it is.`}
      done={(refunded) => correctedToast(`${moneyText(refunded.amount, refunded.currency)} refunded`, refunded)}
      input={{ operation_id: operationId }}
      onClose={onClose}
      refusalNote="Nothing was refunded."
      title="Refund this charge?"
    >
      <AmountField
        currency={currency}
        hint={`At most ${moneyText(refundable, currency)}.`}
        onValueChange={setAmountText}
        value={amountText}
      />
      <TextareaField data-autofocus hint="The reseller reads it in the ledger." label="Reason" name="reason" />
    </ConfirmChange>
  );
}
