import { SubmissionError } from "#components/form/submission-error.tsx";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";

export interface QuoteStateProps {
  readonly pending: boolean;
  readonly failure: SubmissionFailure | null;
}

/** In the place of a quote that has not come, or does not come. */
export function QuoteState({ pending, failure }: QuoteStateProps) {
  if (failure !== null) return <QuoteFailure failure={failure} />;
  return pending ? <QuoteSkeleton /> : null;
}

/** What is too much at once is the caller's to change; the rest reads like any other failure. */
function QuoteFailure({ failure }: { readonly failure: SubmissionFailure }) {
  if (failure.code === "state_invalid") return <ErrorState title={failure.message} />;
  return <SubmissionError failure={failure} />;
}

function QuoteSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Calculating what this does and costs</span>
      <div className="flex flex-col gap-2.5 rounded-md bg-surface-sunken px-3 py-3">
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
        <Skeleton className="w-3/5" />
      </div>
    </div>
  );
}
