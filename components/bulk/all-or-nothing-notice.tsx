import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { countText } from "#lib/domain/count-text.ts";
import { type BulkJobView, isPartlyReverted } from "./bulk-job.ts";

/** What an all-or-nothing job waits for, or why it was reverted. */
export function AllOrNothingNotice({ job }: { readonly job: BulkJobView }) {
  const { state, counts, postponed } = job;
  if (state !== "finished" && counts.pending > 0) {
    return (
      <Banner title="Waiting for the provider" tone="info">
        The outcome of one change is unknown. Once the provider reports it, the job continues or reverts.
      </Banner>
    );
  }
  if (postponed !== null) {
    return (
      <Banner title={`${countText(postponed.count, "change is", "changes are")} still to be reverted`} tone="caution">
        {postponed.reason} Next try: <Timestamp value={postponed.nextAt} />. Last try:{" "}
        <Timestamp value={postponed.lastAt} />.
      </Banner>
    );
  }
  // The job's state and counts already say that somebody stopped it.
  if (counts.failed === 0) return null;
  if (state === "undoing") {
    return <Banner title="One change was rejected: reverting completed changes" tone="caution" />;
  }
  if (state !== "finished") return null;
  if (isPartlyReverted(job)) {
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
