import { Badge, type BadgeProps } from "#components/ui/badge.tsx";
import type { BulkItemState } from "#lib/domain/bulk.ts";
import { type BulkItemView, type BulkJobView, countOf, isPartlyReverted, notRevertedText } from "./bulk-job.ts";

const itemBadges = {
  queued: { tone: "neutral", children: "Waiting" },
  running: { tone: "accent", children: "In progress" },
  succeeded: { tone: "positive", children: "Done" },
  failed: { tone: "critical", children: "Failed" },
  pending: { tone: "accent", children: "Not confirmed" },
  skipped: { tone: "neutral", children: "Skipped" },
  undone: { tone: "caution", children: "Reverted" },
} as const satisfies Record<BulkItemState, BadgeProps>;

const toRevert = { tone: "neutral", children: "To revert" } as const;
const notReverted = { tone: "critical", children: "Not reverted" } as const;

interface BulkItemBadgeProps {
  readonly item: Pick<BulkItemView, "state" | "notReverted">;
  /** Its job reverts what it has done. */
  readonly undoing: boolean;
}

export function BulkItemBadge({ item: { state, ...item }, undoing }: BulkItemBadgeProps) {
  if (item.notReverted) return <Badge {...notReverted} />;
  return <Badge {...(undoing && state === "succeeded" ? toRevert : itemBadges[state])} />;
}

type JobFacts = Pick<BulkJobView, "state" | "paused" | "canceled" | "counts" | "notReverted" | "allOrNothing">;

/** How a job stands as a whole. */
export function BulkJobBadge({ job }: { readonly job: JobFacts }) {
  return <Badge {...jobLook(job)} />;
}

function jobLook(job: JobFacts): BadgeProps {
  const { state, paused, canceled, counts, allOrNothing } = job;
  if (paused) return { tone: "caution", children: "Paused" };
  switch (state) {
    case "queued":
      return { tone: "neutral", children: "Waiting" };
    case "running":
      if (!canceled) return { tone: "accent", children: "Running" };
      return { tone: "accent", children: allOrNothing ? "Stopping" : "Canceling" };
    case "undoing":
      return { tone: "caution", children: "Reverting" };
    case "finished":
      if (isPartlyReverted(job)) return { tone: "critical", children: notRevertedText(job) };
      if (allOrNothing && counts.pending > 0) return { tone: "accent", children: "Not all confirmed" };
      if (allOrNothing && counts.failed + counts.undone > 0) return { tone: "caution", children: "Reverted" };
      if (canceled) return { tone: "neutral", children: allOrNothing ? "Stopped" : "Canceled" };
      if (counts.failed > 0) return { tone: "critical", children: "Finished with failures" };
      return countOf(counts, "pending") > 0
        ? { tone: "accent", children: "Not all confirmed" }
        : { tone: "positive", children: "Finished" };
    default:
      return state satisfies never;
  }
}
