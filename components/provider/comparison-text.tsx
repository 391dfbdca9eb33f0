import { Timestamp } from "#components/ui/timestamp.tsx";
import type { ComparisonView } from "./provider.ts";

/** When its books were compared with ours last. */
export function ComparisonText({ comparison }: { readonly comparison: ComparisonView | null }) {
  if (comparison === null) return <>Never</>;
  if (comparison.finishedAt === null) return <>Being compared now</>;
  return (
    <span>
      {comparison.failure !== null && "Failed "}
      <Timestamp format="relative" value={comparison.finishedAt} />
    </span>
  );
}
