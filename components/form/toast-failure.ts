import { toast } from "#components/ui/toast-store.ts";
import { failureText } from "./failure-text.ts";
import type { SubmissionFailure } from "./use-submission.ts";

/** Reports a failure where it has no place on the page. @param title what did not happen when the server refused */
export function toastFailure(title: string, failure: SubmissionFailure): void {
  toast(
    failure.code === "unreachable"
      ? {
          title: "The answer did not arrive",
          description: "Try again: the same request is never carried out twice.",
          tone: "critical",
        }
      : { title, description: failureText(failure), tone: "critical" },
  );
}
