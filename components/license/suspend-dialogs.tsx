"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { toastWithUndo } from "#components/form/toast-with-undo.ts";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseChanged, LicenseDetails, SuspendInput, UnsuspendInput } from "./license-details.ts";

interface DialogProps {
  readonly license: LicenseDetails;
  readonly suspend: OnceAction<SuspendInput, LicenseChanged>;
  readonly unsuspend: OnceAction<UnsuspendInput, LicenseChanged>;
  readonly onClose: () => void;
}

const labels = { reason: "Reason" };

export function SuspendDialog({ license, suspend, unsuspend, onClose }: DialogProps) {
  const [reason, setReason] = useState("");
  const { pending, failure, send } = useSubmission(suspend, (changed) => {
    onClose();
    if (changed.pending) return toast(unconfirmed);
    toastWithUndo("License suspended", {
      action: unsuspend,
      input: { license_id: license.licenseId },
      title: "Suspension lifted",
    });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  return (
    <ConfirmDialog
      confirmLabel="Suspend"
      description={`${license.id} stops verifying at once, and its term goes on. You can lift the suspension at any time. Both are free.`}
      onClose={onClose}
      onConfirm={() => void send({ license_id: license.licenseId, reason })}
      open
      pending={pending}
      title="Suspend this license?"
      tone="critical"
    >
      <Field error={problemOf(problems, "reason")} label="Reason" name="reason" optional>
        {(control) => (
          <Textarea
            {...control}
            data-autofocus
            onChange={({ target }) => setReason(target.value)}
            placeholder="Payment overdue, customer left, …"
            rows={2}
            value={reason}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}

export function UnsuspendDialog({ license, suspend, unsuspend, onClose }: DialogProps) {
  const { pending, failure, send } = useSubmission(unsuspend, (changed) => {
    onClose();
    if (changed.pending) return toast(unconfirmed);
    toastWithUndo("Suspension lifted", {
      action: suspend,
      input: { license_id: license.licenseId, reason: license.suspensionReason },
      title: "License suspended again",
    });
  });
  return (
    <ConfirmDialog
      confirmLabel="Lift suspension"
      description={`${license.id} verifies again at once. This is free.`}
      onClose={onClose}
      onConfirm={() => void send({ license_id: license.licenseId })}
      open
      pending={pending}
      title="Lift the suspension?"
    >
      {failure && <SubmissionError failure={failure} refusalNote="Nothing was changed." />}
    </ConfirmDialog>
  );
}
