"use client";
import type { FormEvent } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface PriceRulesInput {
  readonly notice_days: string;
  /** Empty: no limit. */
  readonly max_increase: string;
}

export interface PriceRulesSettingProps {
  readonly values: PriceRulesInput;
  readonly action: OnceAction<PriceRulesInput>;
}

const labels = { notice_days: "Notice in days", max_increase: "Highest increase in %" };

/** What automatic renewals may charge when prices rise. */
export function PriceRulesSetting({ values, action }: PriceRulesSettingProps) {
  const { pending, failure, send } = useSubmission(action, () => toast({ title: "Limits saved", tone: "positive" }));
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void send({ notice_days: String(form.get("notice_days")), max_increase: String(form.get("max_increase")) });
  }

  return (
    <Card title="Price increases">
      <form className="flex flex-col gap-3" id="price-rules" noValidate onSubmit={submit}>
        <p className="text-sm text-text-muted">
          Automatic renewals charge a higher price only within these limits. Others wait for you, and are reported as{" "}
          <code className="font-mono text-xs">license.renewal_failed</code>.
        </p>
        <Field
          error={problemOf(problems, "notice_days")}
          hint="So long after a higher price was announced, it is charged at the earliest."
          label={labels.notice_days}
          name="notice_days"
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              className="tabular"
              defaultValue={values.notice_days}
              inputMode="numeric"
            />
          )}
        </Field>
        <Field
          error={problemOf(problems, "max_increase")}
          hint="Above the price that you last agreed to."
          label={labels.max_increase}
          name="max_increase"
          optional
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              className="tabular"
              defaultValue={values.max_increase}
              inputMode="numeric"
              placeholder="No limit"
            />
          )}
        </Field>
        {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
        <div>
          <Button loading={pending} type="submit">
            Save
          </Button>
        </div>
      </form>
    </Card>
  );
}
