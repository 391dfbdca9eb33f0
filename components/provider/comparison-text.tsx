import { Timestamp } from "#components/ui/timestamp.tsx";
import type { Comparison } from "./provider.ts";

/** When its books were compared with ours last. */
export function ComparisonText({ comparison }: { readonly comparison: Comparison | null }) {
  if (comparison === null) return <>Never</>;
  if (comparison.finishedAt === null) return <>Being compared now</>;
  return (
    <span>
      {comparison.failureMessage !== null && "Failed "}
      <Timestamp format="relative" value={comparison.finishedAt} />
    </span>
  );
}
