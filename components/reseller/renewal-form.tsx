"use client";
import type { FormEvent } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useServerChanges } from "#components/form/use-server-changes.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { RenewalInput } from "./settings.ts";

export interface RenewalFormProps {
  readonly values: RenewalInput;
  readonly action: OnceAction<RenewalInput>;
}

const labels = { expiring_soon: "Days of notice", renew_ahead: "Renew days ahead" };

export function RenewalForm({ values, action }: RenewalFormProps) {
  const { pending, failure, send } = useSubmission(action, () =>
    toast({ title: "Renewal settings saved", tone: "positive" }),
  );
  const { problems, refusal } = useFieldProblems(failure, labels);
  const { serverChanges, beforeSending } = useServerChanges(failure, { ...values }, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    beforeSending();
    void send({ expiring_soon: String(form.get("expiring_soon")), renew_ahead: String(form.get("renew_ahead")) });
  }

  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <ErrorSummary problems={problems} />
      <Field
        error={problemOf(problems, "expiring_soon")}
        hint="How many days before a license ends the reseller is told, such as 14, 3. Empty: never."
        label={labels.expiring_soon}
        name="expiring_soon"
        optional
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="tabular"
            defaultValue={values.expiring_soon}
            inputMode="numeric"
          />
        )}
      </Field>
      <Field
        error={problemOf(problems, "renew_ahead")}
        hint="How many days before its end something with auto-renew is renewed and charged."
        label={labels.renew_ahead}
        name="renew_ahead"
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="tabular w-24!"
            defaultValue={values.renew_ahead}
            inputMode="numeric"
          />
        )}
      </Field>
      {refusal && (
        <SubmissionError failure={refusal} refusalNote="Nothing was changed." serverChanges={serverChanges} />
      )}
      <div>
        <Button loading={pending} type="submit">
          Save
        </Button>
      </div>
    </form>
  );
}
