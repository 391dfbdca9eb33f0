"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import { PasswordReveal } from "#components/user/password-reveal.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { NewResellerInput, ResellerCreated } from "./settings.ts";

export interface CreateResellerProps {
  readonly create: OnceAction<NewResellerInput, ResellerCreated>;
  /** In which something is sold already. The only one is chosen; of several, the admin chooses. */
  readonly soldCurrencies: readonly string[];
  readonly otherCurrencies: readonly string[];
}

const labels = {
  name: "Name",
  currency: "Currency",
  person: "First user",
  email: "Email",
  notes: "Notes",
};

/** The form, and then the one look at the first user's password. */
export function CreateReseller({ create, soldCurrencies, otherCurrencies }: CreateResellerProps) {
  const [created, setCreated] = useState<ResellerCreated | null>(null);
  const { pending, failure, send } = useSubmission(create, setCreated);
  const { problems, refusal } = useFieldProblems(failure, labels);
  if (created !== null) return <Created created={created} />;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name));
    void send({
      name: text("name"),
      currency: text("currency"),
      person: text("person"),
      email: text("email"),
      notes: text("notes"),
    });
  }

  return (
    <Card className="max-w-xl">
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <ErrorSummary problems={problems} />
        <Field error={problemOf(problems, "name")} hint="The company." label={labels.name} name="name">
          {(control) => <Input {...control} autoComplete="off" autoFocus />}
        </Field>
        <Field
          error={problemOf(problems, "currency")}
          hint="Of the wallet and the prices. It cannot be changed later."
          label={labels.currency}
          name="currency"
        >
          {(control) => (
            <Select
              {...control}
              className="w-56!"
              options={[
                ...soldCurrencies.map((value) => ({ value, label: value })),
                ...otherCurrencies.map((value) => ({ value, label: `${value} (no prices yet)` })),
              ]}
              {...(soldCurrencies.length === 1 ? {} : { placeholder: "Choose a currency" })}
            />
          )}
        </Field>
        <Field
          error={problemOf(problems, "person")}
          hint="They sign in first, and can add others."
          label={labels.person}
          name="person"
        >
          {(control) => <Input {...control} autoComplete="off" />}
        </Field>
        <Field
          error={problemOf(problems, "email")}
          hint="They sign in with it, and messages to the reseller go there."
          label={labels.email}
          name="email"
        >
          {(control) => <Input {...control} autoComplete="off" spellCheck={false} type="email" />}
        </Field>
        <Field
          error={problemOf(problems, "notes")}
          hint="Only admins see this."
          label={labels.notes}
          name="notes"
          optional
        >
          {(control) => <Textarea {...control} />}
        </Field>
        {refusal && <SubmissionError failure={refusal} refusalNote="Nothing was created." />}
        <div className="flex gap-2">
          <Button loading={pending} type="submit" variant="primary">
            Create reseller
          </Button>
          <ButtonLink href="/resellers">Cancel</ButtonLink>
        </div>
      </form>
    </Card>
  );
}

function Created({ created }: { readonly created: ResellerCreated }) {
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus(), []);
  return (
    <Card className="max-w-xl">
      <div className="flex flex-col gap-4">
        <h2 className="font-semibold text-lg outline-none" ref={ref} tabIndex={-1}>
          The reseller is created
        </h2>
        <PasswordReveal {...created} />
        <div>
          <ButtonLink href={created.href} variant="primary">
            Done
          </ButtonLink>
        </div>
      </div>
    </Card>
  );
}
