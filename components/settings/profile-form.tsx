"use client";
import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ProfileFormProps {
  readonly name: string;
  readonly action: OnceAction<{ readonly name: string }>;
}

const labels = { name: "Name" };

export function ProfileForm({ name, action }: ProfileFormProps) {
  const router = useRouter();
  const { pending, failure, send } = useSubmission(action, () => {
    router.refresh();
    toast({ title: "Name saved", tone: "positive" });
  });
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void send({ name: String(new FormData(event.currentTarget).get("name")) });
  }

  return (
    <form className="flex max-w-sm flex-col gap-4" noValidate onSubmit={submit}>
      <Field error={problemOf(problems, "name")} hint="Others see it next to what you do." label="Name" name="name">
        {(control) => <Input {...control} autoComplete="name" defaultValue={name} />}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was changed." />}
      <div>
        <Button loading={pending} type="submit">
          Save name
        </Button>
      </div>
    </form>
  );
}
