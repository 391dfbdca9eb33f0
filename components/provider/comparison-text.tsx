import { BEING_COMPARED } from "#components/reconciliation/comparison-status.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { LastComparison } from "#lib/services/reconciliation/list-cases.ts";

/** When its books were compared with ours last. */
export function ComparisonText({
  comparison,
}: {
  readonly comparison: Pick<LastComparison, "finishedAt" | "runningSince" | "failureMessage"> | null;
}) {
  const { finishedAt = null, runningSince = null, failureMessage = null } = comparison ?? {};
  if (finishedAt === null) return <>{runningSince === null ? "Never" : "Being compared now"}</>;
  return (
    <span>
      {failureMessage !== null && "Failed "}
      <Timestamp format="relative" value={finishedAt} />
      {runningSince !== null && <span className="block text-text-muted text-xs">{BEING_COMPARED}</span>}
    </span>
  );
}
