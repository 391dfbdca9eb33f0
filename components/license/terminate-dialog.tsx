"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseChanged, LicenseDetails } from "./license-details.ts";

export interface TerminateDialogProps {
  readonly license: LicenseDetails;
  /** Ends it when the text is its id. */
  readonly action: OnceAction<{ readonly typed_id: string }, LicenseChanged>;
  readonly onClose: () => void;
}

const labels = { typed_id: "Confirmation" };

/** Asks to type the license's id before it is ended for good, and says that nothing is paid back. */
export function TerminateDialog({ license, action, onClose }: TerminateDialogProps) {
  const [typed, setTyped] = useState("");
  const { pending, failure, send } = useSubmission(action, (changed) => {
    onClose();
    toast(changed.pending ? unconfirmed : { title: `${license.id} is terminated` });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  return (
    <ConfirmDialog
      confirmLabel="Terminate for good"
      cost={[
        { label: "Paid until", value: <Timestamp format="date" value={license.expiresAt} /> },
        { label: "Paid back", value: "Nothing" },
      ]}
      description={`${license.product} stops verifying at ${license.ipAddress} at once and cannot be brought back. To stop it for a while, suspend it instead.`}
      onClose={onClose}
      onConfirm={() => void send({ typed_id: typed })}
      open
      pending={pending}
      title={`Terminate ${license.id}?`}
      tone="critical"
    >
      <Field error={problemOf(problems, "typed_id")} label={`Type ${license.id} to confirm`} name="typed_id">
        {(control) => (
          <Input
            {...control}
            autoCapitalize="off"
            autoComplete="off"
            data-autofocus
            mono
            onChange={({ target }) => setTyped(target.value)}
            spellCheck={false}
            value={typed}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}
