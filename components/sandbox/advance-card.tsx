"use client";
import type { advance } from "#app/(dashboard)/test-mode/actions.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import { countText } from "#lib/domain/count-text.ts";

export interface AdvanceCardProps {
  /** Days before the end that can be reached, latest last; 0: the end. */
  readonly stops: readonly number[];
  readonly action: Bound<typeof advance>;
}

/** Moves a test license ahead in its term. */
export function AdvanceCard({ stops, action }: AdvanceCardProps) {
  const form = useForm(action, () => toast({ title: "The license has moved ahead", tone: "positive" }));
  return (
    <Card
      description="Move this license ahead in its term. Reminders, the automatic renewal and the end follow within a minute; what lies in between does not happen."
      title="Test clock"
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-2">
          {stops.map((days) => (
            <Button disabled={form.pending} key={days} onClick={() => void form.send({ days })} size="sm">
              {days === 0 ? "To its expiry" : `To ${countText(days, "day", "days")} before expiry`}
            </Button>
          ))}
        </div>
        {form.refusal && <SubmissionError failure={form.refusal} refusalNote="Nothing was changed." />}
      </div>
    </Card>
  );
}
