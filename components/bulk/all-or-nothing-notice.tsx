import { Banner } from "#components/ui/banner.tsx";
import type { BulkJobView } from "./bulk-job.ts";

/** What a job that is all or nothing waits for, or why it turned back; nothing while all is well. */
export function AllOrNothingNotice({ job }: { readonly job: BulkJobView }) {
  const { state, counts, canceled } = job;
  if (state !== "finished" && counts.pending > 0) {
    return (
      <Banner title="Waiting for the provider" tone="info">
        Its answer to one change is not clear yet. It is asked again until it is; then the rest is done, or what was
        done is taken back.
      </Banner>
    );
  }
  const why = canceled ? "Stopped" : "One was refused";
  if (state === "undoing") {
    return (
      <Banner title={`${why}: what was done is being taken back`} tone="caution">
        One after the other, the last first.
      </Banner>
    );
  }
  if (state !== "finished" || (counts.failed === 0 && !canceled)) return null;
  return (
    <Banner title={`${why}: what had been done was taken back`} tone={canceled ? "info" : "critical"}>
      {counts.failed > 0 &&
        "The reasons are below. What could not be taken back says so; all else is as it was. Put right what was refused, then try again."}
    </Banner>
  );
}
