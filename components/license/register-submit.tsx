"use client";
import { SubmissionError } from "#components/form/submission-error.tsx";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";

export interface RegisterSubmitProps {
  readonly pending: boolean;
  /** One that belongs to no field; null otherwise. */
  readonly failure: SubmissionFailure | null;
  /** Says what it costs. */
  readonly label: string;
  /** What is under way, e.g. "Registering the license…". */
  readonly pendingText: string;
}

/** Below the summary of a registration. */
export function RegisterSubmit({ pending, failure, label, pendingText }: RegisterSubmitProps) {
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <SubmissionError failure={failure} ownWallet refusalNote="Nothing was charged." />}
      <Button className="w-full" loading={pending} type="submit" variant="primary">
        {label}
      </Button>
      <span className="sr-only" role="status">
        {pending && pendingText}
      </span>
    </div>
  );
}
