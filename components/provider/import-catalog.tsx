"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { MarkupRounding } from "#lib/domain/markup.ts";
import type { ApplyInput, ImportApplied, ImportPreview, ImportRule } from "./import.ts";
import { ImportPlanView } from "./import-plan.tsx";

const labels = { percent: "Markup in percent", fixed: "Plus a fixed amount", rounding: "Rounding" };
const roundings = [
  { value: "none", label: "As it comes out" },
  { value: "to_99", label: "Up to the next x.99" },
  { value: "to_whole", label: "Up to the next whole amount" },
] as const satisfies readonly { value: MarkupRounding; label: string }[];

export interface ImportCatalogProps {
  readonly provider: string;
  readonly preview: OnceAction<ImportRule, ImportPreview>;
  readonly apply: OnceAction<ApplyInput, ImportApplied>;
}

/** The rule, then what it would do, then doing exactly that. */
export function ImportCatalog({ provider, preview, apply }: ImportCatalogProps) {
  const router = useRouter();
  const [shown, setShown] = useState<{ readonly rule: ImportRule; readonly plan: ImportPreview } | null>(null);
  const [rule, setRule] = useState<ImportRule>({
    provider,
    percent: "20",
    fixed: "",
    rounding: "none",
    allow_below_cost: false,
  });
  const looking = useSubmission(preview, (plan) => setShown({ rule, plan }));
  const applying = useSubmission(apply, ({ changed }) => {
    toast({ title: changed === 1 ? "1 product was changed" : `${changed} products were changed`, tone: "positive" });
    router.push(`/catalog?provider=${encodeURIComponent(provider)}`);
    return true;
  });
  const { problems, refusal } = useFieldProblems(looking.failure, labels);
  const change = (part: Partial<ImportRule>) => {
    setRule({ ...rule, ...part });
    // What is shown is no longer what the form says.
    setShown(null);
    applying.reset();
  };

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void looking.send(rule);
  }

  return (
    <div className="flex flex-col gap-5">
      <Card title="List prices">
        <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
          <ErrorSummary problems={problems} />
          <div className="grid gap-4 md:grid-cols-3">
            <Field
              error={problemOf(problems, "percent")}
              hint="On what the provider charges us. May be negative."
              label={labels.percent}
              name="percent"
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  className="tabular"
                  inputMode="decimal"
                  onChange={({ target }) => change({ percent: target.value })}
                  value={rule.percent}
                />
              )}
            </Field>
            <Field
              error={problemOf(problems, "fixed")}
              hint="On each cycle's price, in the provider's currency."
              label={labels.fixed}
              name="fixed"
              optional
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  className="tabular"
                  inputMode="decimal"
                  onChange={({ target }) => change({ fixed: target.value })}
                  value={rule.fixed}
                />
              )}
            </Field>
            <Field hint="Always upwards." label={labels.rounding} name="rounding">
              {(control) => (
                <Select
                  {...control}
                  onChange={({ target }) => change({ rounding: target.value as MarkupRounding })}
                  options={roundings}
                  value={rule.rounding}
                />
              )}
            </Field>
          </div>
          <Checkbox
            checked={rule.allow_below_cost}
            hint="Otherwise a price that would be below cost is raised to cost."
            label="Let a negative markup sell below cost"
            name="allow_below_cost"
            onChange={({ target }) => change({ allow_below_cost: target.checked })}
          />
          {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Button loading={looking.pending} type="submit" variant={shown === null ? "primary" : "secondary"}>
              Preview
            </Button>
            <span className="text-sm text-text-muted">Reads the provider's catalog and changes nothing.</span>
          </div>
        </form>
      </Card>
      {shown !== null && (
        <ImportPlanView
          failure={applying.failure}
          onApply={() => void applying.send({ rule: shown.rule, fingerprint: shown.plan.fingerprint })}
          pending={applying.pending}
          plan={shown.plan}
        />
      )}
    </div>
  );
}
