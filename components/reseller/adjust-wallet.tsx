"use client";
import { Scale } from "lucide-react";
import { useState } from "react";
import type { adjust } from "#app/(dashboard)/resellers/[id]/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { moneyLine } from "#components/ui/cost-lines.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { TextareaField, TextField } from "#components/ui/field.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Segmented } from "#components/ui/segmented.tsx";
import { AmountField, parseAmount } from "#components/wallet/amount-field.tsx";
import { MeantAmountQuestion } from "#components/wallet/meant-amount-question.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { correctedToast } from "./correction.ts";

export interface AdjustWalletProps {
  readonly currency: string;
  /** Minor units. */
  readonly spendable: bigint;
  readonly action: Bound<typeof adjust>;
}

/** A button, and the form that corrects a wallet by hand. */
export function AdjustWallet(props: AdjustWalletProps) {
  return (
    <DialogButton
      icon={<Scale />}
      label={
        <span>
          Adjust<span className="max-sm:sr-only"> balance</span>
        </span>
      }
    >
      {(onClose) => <AdjustDialog {...props} onClose={onClose} />}
    </DialogButton>
  );
}

function AdjustDialog({ currency, spendable, action, onClose }: AdjustWalletProps & { readonly onClose: () => void }) {
  const [direction, setDirection] = useState<"add" | "take">("add");
  const [amountText, setAmountText] = useState("");
  const typed = parseAmount(amountText, currency);
  const amount = typed !== null && direction === "take" ? -typed : typed;
  const after = spendable + (amount ?? 0n);
  return (
    <ConfirmChange
      action={action}
      confirmLabel={
        typed === null ? "Adjust" : `${direction === "take" ? "Take" : "Add"} ${moneyText(typed, currency)}`
      }
      cost={[
        moneyLine("Available balance now", spendable, currency),
        after < 0n
          ? { label: "Too little by", value: <Money className="text-caution" currency={currency} minor={-after} /> }
          : moneyLine("Available balance after", after, currency),
      ]}
      description="A manual correction that is neither a top-up nor a refund. It stays in the ledger with your reason."
      done={(adjusted) =>
        correctedToast(`Adjusted by ${moneyText(adjusted.amount, adjusted.currency, true)}`, adjusted)
      }
      input={(textOf) => ({ amount: `${direction === "take" ? "-" : ""}${textOf("amount").trim()}` })}
      onClose={onClose}
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
      <AmountField currency={currency} isFirst onValueChange={setAmountText} value={amountText} />
      <MeantAmountQuestion currency={currency} />
      <TextareaField hint="The reseller reads it in the ledger." label="Reason" name="reason" />
      <TextField label="Reference" name="reference" optional spellCheck={false} />
    </ConfirmChange>
  );
}
