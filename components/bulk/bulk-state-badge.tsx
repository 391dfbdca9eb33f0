import { Badge, type BadgeTone } from "#components/ui/badge.tsx";
import type { BulkItemState } from "#lib/domain/bulk.ts";
import { type BulkJobView, countOf, isPartlyReverted } from "./bulk-job.ts";

const itemBadges = {
  queued: { tone: "neutral", text: "Waiting" },
  running: { tone: "accent", text: "In progress" },
  succeeded: { tone: "positive", text: "Done" },
  failed: { tone: "critical", text: "Failed" },
  pending: { tone: "accent", text: "Not confirmed" },
  skipped: { tone: "neutral", text: "Skipped" },
  undone: { tone: "caution", text: "Reverted" },
} as const satisfies Record<BulkItemState, { tone: BadgeTone; text: string }>;

const toRevert = { tone: "neutral", text: "To revert" } as const;

/** @param undoing its job reverts what it has done */
export function BulkItemBadge({ state, undoing }: { readonly state: BulkItemState; readonly undoing: boolean }) {
  const { tone, text } = undoing && state === "succeeded" ? toRevert : itemBadges[state];
  return <Badge tone={tone}>{text}</Badge>;
}

type JobFacts = Pick<BulkJobView, "state" | "paused" | "canceled" | "counts" | "notReverted" | "allOrNothing">;

/** How a job stands as a whole. */
export function BulkJobBadge({ job }: { readonly job: JobFacts }) {
  const { tone, text } = jobLook(job);
  return <Badge tone={tone}>{text}</Badge>;
}

function jobLook(job: JobFacts): { readonly tone: BadgeTone; readonly text: string } {
  const { state, paused, canceled, counts, allOrNothing } = job;
  if (paused) return { tone: "caution", text: "Paused" };
  switch (state) {
    case "queued":
      return { tone: "neutral", text: "Waiting" };
    case "running":
      if (!canceled) return { tone: "accent", text: "Running" };
      return { tone: "accent", text: allOrNothing ? "Stopping" : "Canceling" };
    case "undoing":
      return { tone: "caution", text: "Reverting" };
    case "finished":
      if (isPartlyReverted(job)) return { tone: "critical", text: "Not all reverted" };
      if (allOrNothing && counts.pending > 0) return { tone: "accent", text: "Not all confirmed" };
      if (allOrNothing && counts.failed + counts.undone > 0) return { tone: "caution", text: "Reverted" };
      if (canceled) return { tone: "neutral", text: allOrNothing ? "Stopped" : "Canceled" };
      if (counts.failed > 0) return { tone: "critical", text: "Finished with failures" };
      return countOf(counts, "pending") > 0
        ? { tone: "accent", text: "Not all confirmed" }
        : { tone: "positive", text: "Finished" };
    default:
      return state satisfies never;
  }
}
