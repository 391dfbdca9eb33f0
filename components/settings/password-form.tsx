"use client";
import { type FormEvent, useRef } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { PASSWORD_MIN_LENGTH } from "#lib/domain/password.ts";
import type { PasswordInput } from "./settings.ts";

export interface PasswordFormProps {
  readonly action: OnceAction<PasswordInput>;
  /** The current one was made for them, and is used for the last time. */
  readonly oneTime?: boolean;
}

const changeLabels = { current_password: "Current password", new_password: "New password" };
const oneTimeLabels = { current_password: "One-time password", new_password: "New password" };

export function PasswordForm({ action, oneTime = false }: PasswordFormProps) {
  const formRef = useRef<HTMLFormElement>(null);
  const { pending, failure, send } = useSubmission(action, () => {
    if (oneTime) {
      // A page load: nothing of before stays in memory.
      window.location.assign("/");
      return true;
    }
    formRef.current?.reset();
    toast({ title: "Password changed", description: "You are signed out everywhere else.", tone: "positive" });
  });
  const labels = oneTime ? oneTimeLabels : changeLabels;
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void send({
      current_password: String(form.get("current_password")),
      new_password: String(form.get("new_password")),
    });
  }

  return (
    // Before the script has loaded, submitting does nothing: outside of a dialog this method is inert.
    <form className="flex max-w-sm flex-col gap-4" method="dialog" noValidate onSubmit={submit} ref={formRef}>
      <ErrorSummary problems={problems} />
      <Field error={problemOf(problems, "current_password")} label={labels.current_password} name="current_password">
        {(control) => (
          <Input {...control} autoComplete={oneTime ? "off" : "current-password"} autoFocus={oneTime} type="password" />
        )}
      </Field>
      <Field
        error={problemOf(problems, "new_password")}
        hint={`At least ${PASSWORD_MIN_LENGTH} characters, and hard to guess: a few unrelated words, for example.`}
        label={labels.new_password}
        name="new_password"
      >
        {(control) => <Input {...control} autoComplete="new-password" type="password" />}
      </Field>
      {refusal && <SubmissionError failure={refusal} refusalNote="Your password is the same as before." />}
      <div>
        <Button className={oneTime ? "w-full" : undefined} loading={pending} type="submit" variant="primary">
          {oneTime ? "Set password and continue" : "Change password"}
        </Button>
      </div>
    </form>
  );
}
