import { CircleCheck } from "lucide-react";
import { Card } from "#components/ui/card.tsx";
import type { Alert } from "./alert.ts";
import { AlertLine } from "./alert-line.tsx";

export interface AttentionCardProps {
  readonly alerts: readonly Alert[];
  /** What is said while there are none. */
  readonly none: string;
}

const tones: readonly Alert["tone"][] = ["critical", "caution", "info"];

/** What needs somebody, the worst first, and where to go about it. */
export function AttentionCard({ alerts, none }: AttentionCardProps) {
  const sorted = alerts.toSorted((one, other) => tones.indexOf(one.tone) - tones.indexOf(other.tone));
  return (
    <Card flush title="Needs attention">
      {sorted.length === 0 ? (
        <p className="flex items-start gap-2.5 px-4 pb-4 text-sm">
          <CircleCheck className="mt-0.5 size-4 shrink-0 text-positive" />
          {none}
        </p>
      ) : (
        <ul className="divide-y border-t">
          {sorted.map((alert) => (
            <AlertLine alert={alert} key={alert.id} />
          ))}
        </ul>
      )}
    </Card>
  );
}
