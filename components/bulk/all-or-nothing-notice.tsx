import { Banner } from "#components/ui/banner.tsx";
import type { BulkJobView } from "./bulk-job.ts";

/** What an all-or-nothing job waits for, or why it was reverted. */
export function AllOrNothingNotice({ job }: { readonly job: BulkJobView }) {
  const { state, counts, canceled } = job;
  if (state !== "finished" && counts.pending > 0) {
    return (
      <Banner title="Waiting for the provider" tone="info">
        The outcome of one change is unknown. Once the provider reports it, the job continues or reverts.
      </Banner>
    );
  }
  const why = canceled ? "Stopped" : "One change was rejected";
  if (state === "undoing") {
    return <Banner title={`${why}: reverting completed changes`} tone="caution" />;
  }
  if (state !== "finished" || (counts.failed === 0 && !canceled)) return null;
  return (
    <Banner title={`${why}: completed changes were reverted`} tone={canceled ? "info" : "critical"}>
      {counts.failed > 0 && "See the reasons below. Correct what was rejected, then try again."}
    </Banner>
  );
}
