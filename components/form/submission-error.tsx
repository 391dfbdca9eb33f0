"use client";
import { usePathname, useSearchParams } from "next/navigation";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ErrorState } from "#components/ui/error-state.tsx";
import { keepDraft } from "./draft.ts";
import type { SubmissionFailure } from "./use-submission.ts";

export interface SubmissionErrorProps {
  readonly failure: SubmissionFailure;
  /** What did not happen when the server refused, e.g. "Nothing was charged." */
  readonly refusalNote?: string;
}

/** A failure that belongs to no field: what happened, what did not, and what to do now. */
export function SubmissionError({ failure, refusalNote }: SubmissionErrorProps) {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  switch (failure.code) {
    case "unreachable":
      return (
        <ErrorState
          description="Check your connection and try again: the same request is never carried out twice."
          title="The answer did not arrive"
        />
      );
    case "signed_out":
      return (
        <ErrorState
          action={
            <ButtonLink
              href={`/sign-in?next=${encodeURIComponent(query === "" ? pathname : `${pathname}?${query}`)}`}
              onClick={keepDraft}
              prefetch={false}
              size="sm"
            >
              Sign in
            </ButtonLink>
          }
          description="Nothing was changed. Sign in again, and you come back to what you have filled in."
          title="Your session has ended"
        />
      );
    case "internal":
    case "unavailable":
      return (
        <ErrorState
          description="Try again: the same request is never carried out twice."
          requestId={failure.requestId ?? undefined}
          title="Something went wrong on our side"
        />
      );
    case "changed_meanwhile":
      return (
        <ErrorState
          description="Nothing was done. The page has been loaded anew: look at what it says now, then try again."
          title={failure.message}
        />
      );
    case "idempotency_in_progress":
      return (
        <ErrorState
          description="Try again in a moment to see how it ended."
          title="The first attempt is still running"
        />
      );
    default:
      return <ErrorState description={refusalNote} title={failure.message} />;
  }
}
