"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { KeyDetails, RateLimitInput } from "./api-key.ts";

const labels = { rate_limit: "Requests per minute" };

export interface RateLimitDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: OnceAction<RateLimitInput>;
  readonly onClose: () => void;
}

export function RateLimitDialog({ keyDetails, action, onClose }: RateLimitDialogProps) {
  const [limit, setLimit] = useState(String(keyDetails.rateLimitPerMinute));
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: "Limit set", tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  return (
    <ConfirmDialog
      confirmLabel="Set limit"
      description="Takes effect within 5 seconds. Requests beyond it are refused until the minute is over."
      onClose={onClose}
      onConfirm={() => void send({ api_key_id: keyDetails.apiKeyId, rate_limit: limit.trim() })}
      open
      pending={pending}
      title="Set the rate limit"
    >
      <Field error={problemOf(problems, "rate_limit")} label={labels.rate_limit} name="rate_limit">
        {(control) => (
          <Input
            {...control}
            data-autofocus
            autoComplete="off"
            inputMode="numeric"
            onChange={({ target }) => setLimit(target.value)}
            value={limit}
          />
        )}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="The limit is the same as before." />}
    </ConfirmDialog>
  );
}
