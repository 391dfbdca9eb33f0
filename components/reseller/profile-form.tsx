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
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { ProfileInput } from "./settings.ts";

export interface ResellerProfileFormProps {
  readonly values: ProfileInput;
  readonly action: OnceAction<ProfileInput>;
}

const labels = { name: "Name", email: "Email", notes: "Notes" };

export function ResellerProfileForm({ values, action }: ResellerProfileFormProps) {
  const { pending, failure, send } = useSubmission(action, () => toast({ title: "Saved", tone: "positive" }));
  const { problems, refusal } = useFieldProblems(failure, labels);
  const { serverChanges, beforeSending } = useServerChanges(failure, { ...values }, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name));
    beforeSending();
    void send({ name: text("name"), email: text("email"), notes: text("notes") });
  }

  return (
    <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
      <ErrorSummary problems={problems} />
      <Field error={problemOf(problems, "name")} label={labels.name} name="name">
        {(control) => <Input {...control} autoComplete="off" defaultValue={values.name} />}
      </Field>
      <Field
        error={problemOf(problems, "email")}
        hint="For messages to the company. Sign-in emails stay the same."
        label={labels.email}
        name="email"
      >
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={values.email} spellCheck={false} type="email" />
        )}
      </Field>
      <Field
        error={problemOf(problems, "notes")}
        hint="Only admins see this."
        label={labels.notes}
        name="notes"
        optional
      >
        {(control) => <Textarea {...control} defaultValue={values.notes} />}
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
