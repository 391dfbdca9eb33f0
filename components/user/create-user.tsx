"use client";
import { Plus } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { ShownOnce } from "#components/form/rotation-dialogs.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PasswordReveal } from "./password-reveal.tsx";
import type { PasswordShown, UserActions } from "./user.ts";

export interface CreateUserProps {
  readonly create: UserActions["create"];
  /** What they will be, e.g. "An admin sees and changes everything." */
  readonly description: string;
  readonly label: string;
}

/** A button, the form that lets somebody in, and the one look at their password. */
export function CreateUser(props: CreateUserProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => setOpen(true)} variant="primary">
        {props.label}
      </Button>
      {open && <CreateUserDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const labels = { name: "Name", email: "Email" };

function CreateUserDialog({ create, description, label, onClose }: CreateUserProps & { readonly onClose: () => void }) {
  const formId = useId();
  const [shown, setShown] = useState<PasswordShown | null>(null);
  const { pending, failure, send } = useSubmission(create, setShown);
  const { problems, refusal } = useFieldProblems(failure, labels);
  if (shown !== null) return <PasswordShownOnce onLeave={onClose} shown={shown} title="They can sign in now" />;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void send({ name: String(form.get("name")), email: String(form.get("email")) });
  }

  return (
    <Dialog
      description={description}
      dismissible={!pending}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button form={formId} loading={pending} type="submit" variant="primary">
            Create
          </Button>
        </>
      }
      onClose={onClose}
      open
      title={label}
    >
      <form className="flex flex-col gap-4" id={formId} noValidate onSubmit={submit}>
        <ErrorSummary problems={problems} />
        <Field error={problemOf(problems, "name")} label={labels.name} name="name">
          {(control) => <Input {...control} autoComplete="off" />}
        </Field>
        <Field error={problemOf(problems, "email")} hint="They use it to sign in." label={labels.email} name="email">
          {(control) => <Input {...control} autoComplete="off" spellCheck={false} type="email" />}
        </Field>
        {refusal && <SubmissionError failure={refusal} refusalNote="No one was added." />}
      </form>
    </Dialog>
  );
}

export interface PasswordShownOnceProps {
  readonly shown: PasswordShown;
  readonly title: string;
  readonly onLeave: () => void;
}

export function PasswordShownOnce({ shown, title, onLeave }: PasswordShownOnceProps) {
  return (
    <ShownOnce leaveLabel={shown.oneTimePassword === null ? "Close" : "Done"} onLeave={onLeave} title={title}>
      <PasswordReveal {...shown} />
    </ShownOnce>
  );
}
