import { Banner } from "#components/ui/banner.tsx";
import type { BulkJobView } from "./bulk-job.ts";

/** What an all-or-nothing job waits for, or why it was reverted. */
export function AllOrNothingNotice({ job }: { readonly job: BulkJobView }) {
  const { state, counts } = job;
  if (state !== "finished" && counts.pending > 0) {
    return (
      <Banner title="Waiting for the provider" tone="info">
        The outcome of one change is unknown. Once the provider reports it, the job continues or reverts.
      </Banner>
    );
  }
  // The job's state and counts already say that somebody stopped it.
  if (counts.failed === 0) return null;
  if (state === "undoing") {
    return <Banner title="One change was rejected: reverting completed changes" tone="caution" />;
  }
  if (state !== "finished") return null;
  // One that was rejected comes first, unless somebody stopped the job.
  if (counts.failed > (job.canceled ? 0 : 1)) {
    return (
      <Banner title="Some changes could not be reverted" tone="critical">
        They stay as they are. See the reasons below.
      </Banner>
    );
  }
  return (
    <Banner title="One change was rejected: completed changes were reverted" tone="critical">
      See the reason below. Correct what was rejected, then try again.
    </Banner>
  );
}
