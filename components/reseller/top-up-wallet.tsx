"use client";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { topUp } from "#app/(dashboard)/resellers/[id]/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { parseAmount } from "#components/wallet/amount-field.tsx";
import { MeantAmountQuestion } from "#components/wallet/meant-amount-question.tsx";
import { TopUpFields } from "#components/wallet/top-up-fields.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { correctedToast } from "./correction.ts";

export interface TopUpWalletProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly action: Bound<typeof topUp>;
}

/** A button, and the form that credits a payment. */
export function TopUpWallet(props: TopUpWalletProps) {
  return (
    <DialogButton icon={<Plus className="size-4" />} label="Top up" variant="primary">
      {(onClose) => <TopUpDialog {...props} onClose={onClose} />}
    </DialogButton>
  );
}

function TopUpDialog({ currency, spendable, action, onClose }: TopUpWalletProps & { readonly onClose: () => void }) {
  const [amountText, setAmountText] = useState("");
  const amount = parseAmount(amountText, currency);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={amount === null ? "Top up" : `Top up by ${moneyText(amount, currency)}`}
      description="Credits a payment that has arrived."
      done={(topped) => correctedToast(`Topped up by ${moneyText(topped.amount, topped.currency)}`, topped)}
      onClose={onClose}
      refusalNote="Nothing was credited."
      title="Top up the wallet"
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
      <MeantAmountQuestion currency={currency} />
    </ConfirmChange>
  );
}
