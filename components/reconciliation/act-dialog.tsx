"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Money } from "#components/ui/money.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { Acted, ActionInput, ActionOffer, CaseToAct } from "./case-action.ts";
import { askAbout, moneyMoveOf, resolutionNames } from "./case-text.ts";

const labels = { reason: "Reason" };

export interface ActDialogProps {
  readonly subject: CaseToAct;
  readonly offer: ActionOffer;
  readonly act: OnceAction<ActionInput, Acted>;
  readonly onClose: () => void;
}

/** Says once more what happens and to whose money, and asks why. */
export function ActDialog({ subject, offer, act, onClose }: ActDialogProps) {
  const [reason, setReason] = useState("");
  const router = useRouter();
  const [missing, setMissing] = useState(false);
  const { pending, failure, send } = useSubmission(act, ({ resolution }) => {
    onClose();
    if (resolution === "open") toast({ title: "Still unclear", description: "The provider gave no clear answer." });
    else toast({ title: resolutionNames[resolution], description: "The case is closed.", tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const problem =
    missing && reason.trim() === "" ? "Say why: it is kept with the case." : problemOf(problems, "reason");

  function close() {
    onClose();
    // What stood against it may have changed the case.
    if (failure) router.refresh();
  }

  function confirm() {
    setMissing(reason.trim() === "");
    if (reason.trim() === "") return;
    const { action, wallet } = offer;
    void send({ case_id: subject.caseId, action, reason, fingerprint: subject.fingerprint, wallet });
  }

  return (
    <ConfirmDialog
      {...askAbout(offer, subject.currency)}
      cost={costOf(subject, offer)}
      description={offer.text}
      onClose={close}
      onConfirm={confirm}
      open
      pending={pending}
      tone={offer.endsLicense ? "critical" : "default"}
    >
      <Field error={problem} label="Reason" name="reason">
        {(control) => (
          <Textarea
            {...control}
            data-autofocus
            maxLength={1000}
            onChange={({ target }) => setReason(target.value)}
            placeholder="What you know, and from whom"
            rows={2}
            value={reason}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}

const movedLabels = { Charge: "Charged", Refund: "Refunded", Release: "Released" } as const;

function costOf({ reseller, spendable, currency }: CaseToAct, offer: ActionOffer) {
  const { action, wallet, released } = offer;
  if (spendable === null || currency === null || action === "ask_again" || action === "dismiss") return [];
  const move = moneyMoveOf(offer);
  const after = BigInt(spendable) + BigInt(wallet) + BigInt(released);
  return [
    ...(BigInt(released) > 0n && move?.verb !== "Release"
      ? [{ label: "Released", value: <Money currency={currency} minor={released} /> }]
      : []),
    ...(move === null
      ? []
      : [{ label: movedLabels[move.verb], value: <Money currency={currency} minor={move.amount} /> }]),
    { label: `${reseller ?? "The reseller"} can spend now`, value: <Money currency={currency} minor={spendable} /> },
    after < 0n
      ? { label: "Too little by", value: <Money className="text-caution" currency={currency} minor={-after} /> }
      : { label: "Available balance after", value: <Money currency={currency} minor={after} /> },
  ];
}
