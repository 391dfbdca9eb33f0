"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface SuspensionProps {
  readonly name: string;
  readonly suspended: boolean;
  readonly action: OnceAction<{ readonly suspended: boolean; readonly reason: string }>;
}

const labels = { reason: "Reason" };

/** A button, and the question before a reseller is suspended or admitted again. */
export function Suspension(props: SuspensionProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} variant={props.suspended ? "secondary" : "critical-quiet"}>
        {props.suspended ? "Lift the suspension" : "Suspend reseller"}
      </Button>
      {open && <SuspensionDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function SuspensionDialog({ name, suspended, action, onClose }: SuspensionProps & { readonly onClose: () => void }) {
  const [reason, setReason] = useState("");
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: suspended ? `${name} is active again` : `${name} is suspended`, tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  return (
    <ConfirmDialog
      confirmLabel={suspended ? "Lift the suspension" : "Suspend"}
      description={
        suspended
          ? "Its users can sign in again and its API keys work again. Paused changes continue, and renewals that came due meanwhile are made if the term still runs."
          : "Nothing more is charged from now on: running changes pause and nothing renews. Its users are signed out, and its API keys are refused within seconds. Running licenses continue until their term ends."
      }
      onClose={onClose}
      onConfirm={() => void send({ suspended: !suspended, reason })}
      open
      pending={pending}
      title={suspended ? `Lift the suspension of ${name}?` : `Suspend ${name}?`}
      {...(suspended ? {} : { tone: "critical" as const })}
    >
      {!suspended && (
        <Field
          error={problemOf(problems, "reason")}
          hint="Admins see it here and in the audit log."
          label="Reason"
          name="reason"
        >
          {(control) => (
            <Textarea
              {...control}
              data-autofocus
              onChange={({ target }) => setReason(target.value)}
              rows={2}
              value={reason}
            />
          )}
        </Field>
      )}
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}
