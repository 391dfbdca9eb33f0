import type { SubmissionFailure } from "./use-submission.ts";

/** A failure in one line, where there is no form to show it in full: what happened and what to do. */
export function failureText(failure: SubmissionFailure): string {
  switch (failure.code) {
    case "unreachable":
      return "The answer did not arrive. Try again.";
    case "idempotency_key_reused":
      return "An earlier attempt may have been carried out. Check what it changed before you try again.";
    default:
      return failure.message;
  }
}
