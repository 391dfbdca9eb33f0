"use client";
import { useState } from "react";
import type { decide } from "#app/(dashboard)/top-ups/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { Button } from "#components/ui/button.tsx";
import { moneyLine } from "#components/ui/cost-lines.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { AmountField, parseAmount } from "#components/wallet/amount-field.tsx";
import { MeantAmountQuestion } from "#components/wallet/meant-amount-question.tsx";
import { paymentMethodNames } from "#components/wallet/top-up-request.ts";
import type { InputOf } from "#lib/domain/action-result.ts";
import { type Currency, toMajorText } from "#lib/domain/money.ts";
import type { TopUpRequestRow } from "#lib/services/wallet/list-top-up-requests.ts";

export interface DecideTopUpProps {
  readonly request: TopUpRequestRow;
  readonly action: typeof decide;
}

/** The two buttons of a request that waits; each asks once more and says what it does to the balance. */
export function DecideTopUp({ request, action }: DecideTopUpProps) {
  const [open, setOpen] = useState<InputOf<typeof decide>["decision"] | null>(null);
  const name = `${moneyText(request.amount, request.currency)} of ${request.resellerName}`;
  return (
    <span className="inline-flex gap-1.5">
      <Button aria-label={`Decline ${name}`} onClick={() => setOpen("decline")} size="sm">
        Decline
      </Button>
      <Button aria-label={`Credit ${name}`} onClick={() => setOpen("approve")} size="sm">
        Credit
      </Button>
      {open !== null && (
        <DecisionDialog action={action} decision={open} onClose={() => setOpen(null)} request={request} />
      )}
    </span>
  );
}

interface DecisionDialogProps extends DecideTopUpProps {
  readonly decision: InputOf<typeof decide>["decision"];
  readonly onClose: () => void;
}

function DecisionDialog({ request, decision, action, onClose }: DecisionDialogProps) {
  const { amount: requested, currency, spendable } = request;
  const approve = decision === "approve";
  const [amountText, setAmountText] = useState(toMajorText(requested, currency as Currency));
  const amount = parseAmount(amountText, currency);
  const differs = approve && amount !== requested;
  return (
    <ConfirmChange
      action={action}
      confirmLabel={approve ? `Credit ${amount === null ? "" : moneyText(amount, currency)}`.trim() : "Decline"}
      cost={[
        { label: "Reference", value: <span className="wrap-anywhere">{request.reference}</span> },
        { label: "Paid by", value: paymentMethodNames[request.method] },
        moneyLine("Requested", requested, currency),
        moneyLine("Available balance now", spendable, currency),
        moneyLine("Available balance after", spendable + (approve ? (amount ?? 0n) : 0n), currency),
      ]}
      description={
        approve
          ? `${request.resellerName} has reported this payment. Make sure that it has arrived: what is credited can be spent at once.`
          : `${request.resellerName} keeps its balance. It can ask again with another reference.`
      }
      done={(decided) =>
        approve
          ? {
              title: `${moneyText(decided.amount, decided.currency)} credited`,
              description: `${request.resellerName} can spend it at once.`,
              tone: "positive",
            }
          : { title: "Request declined", description: `${request.resellerName} sees your note.` }
      }
      input={{ request_id: request.id, decision, ...(!approve && { meant_amount: "" }) }}
      onClose={onClose}
      refusalNote="Nothing was credited."
      title={approve ? "Credit this payment?" : "Decline this request?"}
      tone={approve ? "default" : "critical"}
    >
      {approve && (
        <>
          <AmountField
            currency={currency}
            hint="Enter what arrived. If it is not what was requested, say why."
            onValueChange={setAmountText}
            value={amountText}
          />
          <MeantAmountQuestion currency={currency} />
        </>
      )}
      <TextareaField
        data-autofocus
        hint={approve && !differs ? undefined : "The reseller reads it."}
        label={approve && !differs ? "Note" : "Reason"}
        name="note"
        optional={approve && !differs}
      />
    </ConfirmChange>
  );
}
