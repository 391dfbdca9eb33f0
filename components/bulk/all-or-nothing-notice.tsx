import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { countText } from "#lib/domain/count-text.ts";
import { type AwaitedOutcomes, type BulkJobView, isPartlyReverted } from "./bulk-job.ts";

/** What an all-or-nothing job waits for, or why it was reverted. */
export function AllOrNothingNotice({ job }: { readonly job: BulkJobView }) {
  const { state, counts, postponed, awaited } = job;
  if (postponed !== null || awaited !== null) {
    return (
      <>
        {awaited !== null && <AwaitedNotice awaited={awaited} job={job} />}
        {postponed !== null && (
          <Banner
            title={`${countText(postponed.count, "change is", "changes are")} still to be reverted`}
            tone="caution"
          >
            {postponed.reason} Next try: <Timestamp value={postponed.nextAt} />. Last try:{" "}
            <Timestamp value={postponed.lastAt} />.
          </Banner>
        )}
      </>
    );
  }
  if (state === "finished" && counts.pending > 0) {
    return (
      <>
        {isPartlyReverted(job) && <NotRevertedNotice count={job.notReverted} />}
        <Banner title={`${countText(counts.pending, "outcome is", "outcomes are")} still unknown`} tone="caution">
          A user stopped waiting. License Desk keeps asking the provider and shows each outcome below once it is known.
          Until then, the license or bundle cannot be changed.
        </Banner>
      </>
    );
  }
  // The job's state and counts already say that somebody stopped it.
  if (counts.failed === 0) return null;
  if (state === "undoing") {
    return <Banner title="One change was rejected: reverting completed changes" tone="caution" />;
  }
  if (state !== "finished") return null;
  if (isPartlyReverted(job)) return <NotRevertedNotice count={job.notReverted} />;
  return (
    <Banner title="One change was rejected: completed changes were reverted" tone="critical">
      See the reason below. Correct what was rejected, then try again.
    </Banner>
  );
}

function NotRevertedNotice({ count }: { readonly count: number }) {
  return (
    <Banner title={`${countText(count, "change")} could not be reverted`} tone="critical">
      {count === 1 ? "It stays" : "They stay"} at the new address. See why below.
    </Banner>
  );
}

function AwaitedNotice({ job, awaited }: { readonly job: BulkJobView; readonly awaited: AwaitedOutcomes }) {
  const isUndoing = job.state === "undoing";
  const title = isUndoing ? `${countText(awaited.count, "revert")} not confirmed` : "Waiting for the provider";
  return (
    <Banner title={title} tone="info">
      Since <Timestamp value={awaited.since} />, it is unknown whether the provider made{" "}
      {isUndoing ? countText(awaited.count, "revert") : "one change"}. License Desk keeps asking; if the provider gives
      no answer, an administrator settles it. {nextText(job)}
    </Banner>
  );
}

function nextText({ state, canceled, counts }: BulkJobView): string {
  if (state === "undoing") return counts.succeeded + counts.running > 0 ? "Other reverts continue." : "";
  return canceled ? "Completed changes are reverted after that." : "After that, the job continues or reverts.";
}
