import { numberText } from "#lib/domain/count-text.ts";
import { type BulkJobView, type BulkOutcome, bulkOutcomes, countOf, doneOf, progressOf } from "./bulk-job.ts";

const segments = [
  ["done", "bg-positive"],
  ["failed", "bg-critical"],
  ["undone", "bg-caution"],
] as const satisfies readonly (readonly [BulkOutcome, string])[];

type Progress = Pick<BulkJobView, "counts" | "state">;

/** How far a job is, and how what it has done has ended; the figures are beside it. */
export function BulkProgressBar({ job }: { readonly job: Progress }) {
  const { counts } = job;
  const { total, ended } = progressOf(job);
  // Everything was left out.
  if (total === 0) return null;
  return (
    <div
      aria-label="Progress"
      aria-valuemax={total}
      aria-valuemin={0}
      aria-valuenow={ended}
      aria-valuetext={`${numberText(ended)} of ${numberText(total)}`}
      className="flex h-2 w-full gap-px overflow-hidden rounded-full bg-surface-selected"
      role="progressbar"
    >
      {segments.map(([outcome, className]) => {
        const count = outcome === "done" ? doneOf(job) : countOf(counts, outcome);
        return (
          count > 0 && (
            <span
              className={`${className} transition-[width] duration-500`}
              key={outcome}
              style={{ width: `${(100 * count) / total}%` }}
              title={`${bulkOutcomes[outcome].label}: ${numberText(count)}`}
            />
          )
        );
      })}
    </div>
  );
}
