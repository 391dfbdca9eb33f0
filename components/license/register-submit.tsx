"use client";
import { SubmissionError } from "#components/form/submission-error.tsx";
import type { FormState } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";

export interface RegisterSubmitProps {
  readonly form: Pick<FormState<never>, "pending" | "refusal">;
  /** Pressing would have no effect, as the summary says. */
  readonly disabled?: boolean;
  /** Says what it costs. */
  readonly label: string;
  /** What is under way, e.g. "Registering the license…". */
  readonly pendingText: string;
}

/** Below the summary of a registration. */
export function RegisterSubmit({ form, disabled = false, label, pendingText }: RegisterSubmitProps) {
  const { pending, refusal } = form;
  return (
    <div className="flex flex-col gap-3">
      {refusal && <SubmissionError failure={refusal} ownWallet refusalNote="Nothing was charged." />}
      <Button
        className="w-full"
        disabled={disabled}
        loading={pending}
        type="submit"
        variant={refusal?.code === "insufficient_balance" ? "secondary" : "primary"}
      >
        {label}
      </Button>
      <span className="sr-only" role="status">
        {pending && pendingText}
      </span>
    </div>
  );
}
