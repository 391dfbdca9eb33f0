"use client";
import { RefreshCw } from "lucide-react";
import type { compareNow } from "#app/(dashboard)/reconciliation/actions.ts";
import { FailureLine } from "#components/form/failure-line.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { countText } from "#lib/domain/count-text.ts";

export function CompareNow({ compare }: { readonly compare: typeof compareNow }) {
  const { pending, failure, send } = useSubmission(compare, (done) => {
    const { unreadable, busy, differences } = done;
    if (unreadable.length > 0)
      toast({ title: `The books of ${unreadable.join(", ")} could not be read`, tone: "critical" });
    else if (busy.length > 0) toast({ title: `${busy.join(", ")}: being compared already` });
    else if (differences === 0) toast({ title: "Everything agrees", tone: "positive" });
    else
      toast({
        title: countText(differences, "difference"),
      });
  });
  return (
    <span className="flex items-center gap-3">
      {failure && <FailureLine failure={failure} />}
      <Button icon={<RefreshCw />} loading={pending} onClick={() => void send(undefined)} variant="primary">
        Compare now
      </Button>
    </span>
  );
}
