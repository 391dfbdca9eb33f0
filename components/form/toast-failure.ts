import { toast } from "#components/ui/toast-store.ts";
import { failureText } from "./failure-text.ts";
import type { SubmissionFailure } from "./use-submission.ts";

/** Nobody here knows whether it was done, as the text says. */
const unclear: readonly SubmissionFailure["code"][] = [
  "answer_lost",
  "idempotency_in_progress",
  "idempotency_key_reused",
  "internal",
];

/**
 * Reports a failure where it has no place on the page.
 * @param title what did not happen when the server refused
 * @param unanswered what to do if the answer did not arrive
 */
export function toastFailure(title: string, failure: SubmissionFailure, unanswered: string): void {
  const text = failureText(failure);
  toast(
    failure.code === "unreachable"
      ? { title: "The answer did not arrive", description: unanswered, tone: "critical" }
      : { ...(unclear.includes(failure.code) ? { title: text } : { title, description: text }), tone: "critical" },
  );
}
