import { SubmissionError } from "#components/form/submission-error.tsx";
import type { SubmissionFailure } from "#components/form/use-submission.ts";
import { ErrorState } from "#components/ui/error-state.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import { sentenceCase } from "#lib/domain/text.ts";

/** Why there is no quote. What the selection must change stands below what is wrong with it. */
export function QuoteFailure({ failure }: { readonly failure: SubmissionFailure }) {
  if (failure.code !== "state_invalid") return <SubmissionError failure={failure} />;
  const [title = "", ...rest] = failure.message.split(/(?<=[.:]) /);
  return <ErrorState description={sentenceCase(rest.join(" "))} title={title.replace(/[.:]$/, "")} />;
}

/** In the place of a quote that has not come. */
export function QuoteSkeleton() {
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
