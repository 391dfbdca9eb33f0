"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Money } from "#components/ui/money.tsx";
import { moneyText } from "#components/ui/money-text.ts";
import { Textarea } from "#components/ui/textarea.tsx";
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

const labels = { note: "Note" };

interface DecisionDialogProps extends DecideTopUpProps {
  readonly decision: DecisionInput["decision"];
  readonly onClose: () => void;
}

function DecisionDialog({ request, decision, action, onClose }: DecisionDialogProps) {
  const { amount, currency, spendable } = request;
  const approve = decision === "approve";
  const [note, setNote] = useState("");
  const { pending, failure, send } = useSubmission(action, (decided) => {
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
  const { problems, refusal } = useFieldProblems(failure, labels);
  const router = useRouter();
  function close() {
    // Another admin may have decided: the list is out of date.
    if (failure) router.refresh();
    onClose();
  }
  const change = (sign: 1n | 0n) => <Money currency={currency} minor={spendable + sign * amount} />;
  return (
    <ConfirmDialog
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
      onClose={close}
      onConfirm={() => void send({ request_id: request.id, decision, note })}
      open
      pending={pending}
      title={approve ? "Credit this payment?" : "Decline this request?"}
      tone={approve ? "default" : "critical"}
    >
      <Field
        error={problemOf(problems, "note")}
        hint={approve ? undefined : "The reseller reads it."}
        label={approve ? "Note" : "Why"}
        name="note"
        optional={approve}
      >
        {(control) => (
          <Textarea
            {...control}
            data-autofocus
            onChange={({ target }) => setNote(target.value)}
            rows={2}
            value={note}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was credited." />}
    </ConfirmDialog>
  );
}
