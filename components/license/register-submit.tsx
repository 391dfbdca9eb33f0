"use client";
import { SubmissionError } from "#components/form/submission-error.tsx";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import type { Charge } from "#components/wallet/charge.tsx";

export interface RegisterSubmitProps {
  readonly pending: boolean;
  /** One that belongs to no field; null otherwise. */
  readonly failure: SubmissionFailure | null;
  /** Undefined while nothing is chosen. */
  readonly charge: Charge | undefined;
  /** Says what it costs. */
  readonly label: string;
  /** What is under way, e.g. "Registering the license…". */
  readonly pendingText: string;
}

/** Below the summary of a registration. */
export function RegisterSubmit({ pending, failure, charge, label, pendingText }: RegisterSubmitProps) {
  return (
    <div className="flex flex-col gap-3">
      {failure !== null && <SubmissionError charge={charge} failure={failure} refusalNote="Nothing was charged." />}
      <Button className="w-full" loading={pending} type="submit" variant="primary">
        {label}
      </Button>
      <span className="sr-only" role="status">
        {pending && pendingText}
      </span>
    </div>
  );
}
