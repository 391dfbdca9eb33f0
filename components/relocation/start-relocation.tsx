"use client";
import { useRouter } from "next/navigation";
import type { start } from "#app/(dashboard)/relocations/actions.ts";
import { FormFrame } from "#components/form/form.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useForm } from "#components/form/use-form.ts";
import { MeantAddressQuestion } from "#components/license/meant-address-question.tsx";
import { Button } from "#components/ui/button.tsx";
import { CostLines } from "#components/ui/cost-lines.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import type { PlannedRelocation } from "./relocation.ts";

export interface StartRelocationProps {
  readonly plan: PlannedRelocation;
  /** Starts it as it is shown. */
  readonly action: Bound<typeof start>;
}

/** What will happen, what it costs, and the button that begins it. */
export function StartRelocation({ plan, action }: StartRelocationProps) {
  const router = useRouter();
  const form = useForm(action, ({ jobId }) => {
    // The router leaves the scroll as it is where the next page's top is in view, be it behind the sticky head.
    window.scrollTo(0, 0);
    // In place of the dry run: Back must not offer again what has moved.
    router.replace(`/jobs/${jobId}`);
    return true;
  });
  const { pending, refusal } = form;
  const { from, to, movingCount, stayingCount } = plan;
  return (
    <FormFrame className="flex flex-col gap-4" form={form}>
      <CostLines
        lines={[
          { label: "From", value: <span className="font-mono">{from}</span> },
          { label: "To", value: <span className="font-mono">{to}</span> },
          { label: "Move", value: movingCount },
          ...(stayingCount > 0 ? [{ label: "Stay where they are", value: stayingCount }] : []),
          { label: "Cost", value: "Free", strong: true },
        ]}
      />
      <p className="text-sm text-text-muted">
        All move, or none does: if one is rejected, the others move back. Moved licenses are valid only at the new
        address.
      </p>
      <MeantAddressQuestion about="to" text={to} />
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was moved." />}
      <Button className="w-full" loading={pending} type="submit" variant="primary">
        {`Move ${movingCount} to ${to}`}
      </Button>
      <span className="sr-only" role="status">
        {pending && "Starting the relocation…"}
      </span>
    </FormFrame>
  );
}
