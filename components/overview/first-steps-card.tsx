"use client";
import { CircleCheck, CircleDashed, X } from "lucide-react";
import { useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { cx } from "#components/ui/cx.ts";
import { toast } from "#components/ui/toast-store.ts";

export interface FirstStep {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
  readonly href: string;
  readonly done: boolean;
}

export interface FirstStepsCardProps {
  readonly steps: readonly FirstStep[];
  /** The first open step is the page's main action. */
  readonly leading: boolean;
  /** A server action. */
  readonly dismiss: () => Promise<void>;
}

/** The way into a new account; what is done shows itself as done, and the first open step can stand out. */
export function FirstStepsCard({ steps, leading, dismiss }: FirstStepsCardProps) {
  const [pending, startTransition] = useTransition();
  const doneCount = steps.filter(({ done }) => done).length;
  const next = steps.find(({ done }) => !done);

  async function dismissOrSay() {
    try {
      await dismiss();
    } catch {
      // Thrown in a transition, it would replace the page.
      toast({ title: "Not dismissed", description: "The answer did not arrive. Try again.", tone: "critical" });
    }
  }

  return (
    <Card
      actions={
        <Button
          icon={<X className="size-4" />}
          loading={pending}
          onClick={() => startTransition(dismissOrSay)}
          size="sm"
          variant="ghost"
        >
          Dismiss
        </Button>
      }
      description={`${doneCount} of ${steps.length} done`}
      flush
      title="First steps"
    >
      <ol className="divide-y border-t">
        {steps.map((step) => (
          <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 text-sm" key={step.href}>
            <div className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
              {step.done ? (
                <CircleCheck className="mt-0.5 size-4 shrink-0 text-positive" />
              ) : (
                <CircleDashed className="mt-0.5 size-4 shrink-0 text-text-muted" />
              )}
              <div>
                <p className={cx("font-medium", step.done && "text-text-muted")}>
                  {step.title}
                  {step.done && <span className="sr-only"> (done)</span>}
                </p>
                {!step.done && <p className="text-pretty text-text-muted">{step.detail}</p>}
              </div>
            </div>
            {!step.done && (
              <div className="max-sm:ml-6.5">
                <ButtonLink href={step.href} size="sm" variant={leading && step === next ? "primary" : "secondary"}>
                  {step.action}
                </ButtonLink>
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
