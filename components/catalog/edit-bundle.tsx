"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useServerChanges } from "#components/form/use-server-changes.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { BundleInput, Created } from "./catalog.ts";
import { type MemberChoice, MemberPicker } from "./member-picker.tsx";

const labels = { name: "Name", description: "Description", members: "Members" };

export interface EditBundleProps {
  readonly initial: BundleInput;
  readonly choices: readonly MemberChoice[];
  readonly isNew: boolean;
  readonly cancelHref: string;
  readonly action: OnceAction<BundleInput, Created>;
}

/** For a new bundle and for one that is changed. */
export function EditBundle({ initial, choices, isNew, cancelHref, action }: EditBundleProps) {
  const router = useRouter();
  const [members, setMembers] = useState(initial.members);
  const { pending, failure, send } = useSubmission(action, ({ href }) => {
    toast({ title: isNew ? "Bundle added" : "Bundle changed", tone: "positive" });
    router.push(href);
    return true;
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const nameOf = (id: number) => choices.find((choice) => choice.id === id)?.name ?? String(id);
  const stored = { ...initial, members: initial.members.map(nameOf).join(", ") };
  const { serverChanges, beforeSending } = useServerChanges(failure, stored, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    beforeSending();
    void send({
      name: String(form.get("name")).trim(),
      description: String(form.get("description")).trim(),
      members,
    });
  }

  return (
    <form noValidate onSubmit={submit}>
      <Card className="max-w-2xl">
        <div className="flex flex-col gap-5">
          <ErrorSummary problems={problems} />
          <Field error={problemOf(problems, "name")} label={labels.name} name="name">
            {(control) => <Input {...control} autoComplete="off" defaultValue={initial.name} />}
          </Field>
          <Field
            error={problemOf(problems, "description")}
            hint="Resellers see it when they choose."
            label={labels.description}
            name="description"
            optional
          >
            {(control) => <Textarea {...control} defaultValue={initial.description} rows={2} />}
          </Field>
          <MemberPicker
            choices={choices}
            error={problemOf(problems, "members")}
            onChange={setMembers}
            value={members}
          />
          {!isNew && (
            <p className="text-sm text-text-muted">
              Members count for what is sold from now on: bundles that were bought keep the licenses they have.
            </p>
          )}
          {refusal && (
            <SubmissionError
              failure={refusal}
              refusalNote={isNew ? "No bundle was added." : "Nothing was changed."}
              serverChanges={serverChanges}
            />
          )}
          <div className="flex flex-wrap gap-2">
            <Button loading={pending} type="submit" variant="primary">
              {isNew ? "Add bundle" : "Save changes"}
            </Button>
            <ButtonLink href={cancelHref}>Cancel</ButtonLink>
          </div>
        </div>
      </Card>
    </form>
  );
}
