import { failureText } from "./failure-text.ts";
import type { SubmissionFailure } from "./use-submission.ts";

/** A failure beside a button that has no form, in one line. */
export function FailureLine({ failure }: { readonly failure: SubmissionFailure }) {
  return (
    <span className="self-center text-critical text-sm" role="alert">
      {failureText(failure)}
    </span>
  );
}
