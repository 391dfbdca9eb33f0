"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { toast } from "#components/ui/toast-store.ts";
import { paymentMethodNames, type TopUpRequest } from "#components/wallet/top-up-request.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Decided, DecisionInput } from "./top-up-decision.ts";

export interface DecideTopUpProps {
  readonly request: TopUpRequest;
  readonly action: OnceAction<DecisionInput, Decided>;
}

/** The two buttons of a request that waits; each asks once more and says what it does to the balance. */
export function DecideTopUp({ request, action }: DecideTopUpProps) {
  const [open, setOpen] = useState<DecisionInput["decision"] | null>(null);
  const name = `${moneyText(request.amount, request.currency)} of ${request.resellerName}`;
  return (
    <span className="inline-flex gap-1.5">
      <Button aria-label={`Decline ${name}`} onClick={() => setOpen("decline")} size="sm">
        Decline
      </Button>
      <Button aria-label={`Credit ${name}`} onClick={() => setOpen("approve")} size="sm" variant="primary">
        Credit
      </Button>
      {open !== null && (
        <DecisionDialog action={action} decision={open} onClose={() => setOpen(null)} request={request} />
      )}
    </span>
  );
}

interface DecisionDialogProps extends DecideTopUpProps {
  readonly decision: DecisionInput["decision"];
  readonly onClose: () => void;
}

function DecisionDialog({ request, decision, action, onClose }: DecisionDialogProps) {
  const { amount, currency, spendable } = request;
  const approve = decision === "approve";
  const form = useForm(action, (decided) => {
    onClose();
    toast(
      approve
        ? {
            title: `${moneyText(decided.amount, decided.currency)} credited`,
            description: `${request.resellerName} can spend it at once.`,
            tone: "positive",
          }
        : { title: "Request declined", description: `${request.resellerName} sees your note.` },
    );
  });
  const router = useRouter();
  function close() {
    // Another admin may have decided: the list is out of date.
    if (form.failure) router.refresh();
    onClose();
  }
  const change = (sign: 1n | 0n) => <Money currency={currency} minor={spendable + sign * amount} />;
  return (
    <ConfirmForm
      confirmLabel={approve ? `Credit ${moneyText(amount, currency)}` : "Decline"}
      cost={[
        { label: "Reference", value: <span className="wrap-anywhere">{request.reference}</span> },
        { label: "Paid by", value: paymentMethodNames[request.method] },
        { label: "Available balance now", value: change(0n) },
        { label: "Available balance after", value: change(approve ? 1n : 0n) },
      ]}
      description={
        approve
          ? `${request.resellerName} has reported this payment. Make sure that it has arrived: what is credited can be spent at once.`
          : `${request.resellerName} keeps its balance. It can ask again with another reference.`
      }
      form={form}
      input={{ request_id: request.id, decision }}
      onClose={close}
      refusalNote="Nothing was credited."
      title={approve ? "Credit this payment?" : "Decline this request?"}
      tone={approve ? "default" : "critical"}
    >
      <TextareaField
        data-autofocus
        hint={approve ? undefined : "The reseller reads it."}
        label={approve ? "Note" : "Why"}
        name="note"
        optional={approve}
        rows={2}
      />
    </ConfirmForm>
  );
}
