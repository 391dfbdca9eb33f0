import type { SubmissionFailure } from "./use-submission.ts";

/** A failure beside a button that has no form, in one line. */
export function FailureLine({ failure }: { readonly failure: SubmissionFailure }) {
  return (
    <span className="self-center text-critical text-sm" role="alert">
      {failure.code === "unreachable" ? "The answer did not arrive. Try again." : failure.message}
    </span>
  );
}
