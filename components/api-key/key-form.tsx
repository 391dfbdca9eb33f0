"use client";
import { type FormEvent, useState } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import type { Submission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { Scope } from "#lib/domain/scopes.ts";
import type { KeyInput, SigningChoice } from "./api-key.ts";
import { ExpiryField } from "./expiry-field.tsx";
import { ScopePicker } from "./scope-picker.tsx";
import { type PresetName, presets } from "./scope-presets.ts";

const labels = {
  name: "Name",
  scopes: "Scopes",
  expires_at: "Last day",
  cidrs: "Source addresses",
  rate_limit: "Requests per minute",
};

const signingChoices = [
  { value: "none", label: "No", detail: "The key alone is enough." },
  { value: "optional", label: "Optional", detail: "Signed requests are checked, others pass." },
  { value: "required", label: "Required", detail: "A stolen key alone is useless." },
] as const satisfies readonly { value: SigningChoice; label: string; detail: string }[];

export interface KeyFormProps {
  readonly submission: Submission<KeyInput>;
  readonly cancelHref: string;
  readonly preset: PresetName;
  readonly signingAvailable: boolean;
  readonly rateLimit: boolean;
}

export function KeyForm({ submission, cancelHref, preset: initial, signingAvailable, rateLimit }: KeyFormProps) {
  const { pending, failure, send } = submission;
  const [preset, setPreset] = useState(initial);
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [signing, setSigning] = useState<SigningChoice>("none");
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name) ?? "").trim();
    void send({
      name: textOf("name"),
      scopes: presets[preset].scopes ?? chosen,
      cidrs: textOf("cidrs"),
      expires: textOf("expires"),
      expires_at: textOf("expires_at"),
      signing,
      rate_limit: textOf("rate_limit"),
    });
  }

  return (
    <form noValidate onSubmit={submit}>
      <Card className="max-w-2xl">
        <div className="flex flex-col gap-5">
          <ErrorSummary problems={problems} />
          <Field
            error={problemOf(problems, "name")}
            hint="What will use it, so that you know later which key is which."
            label={labels.name}
            name="name"
          >
            {(control) => (
              <Input {...control} autoComplete="off" maxLength={100} placeholder="Shop, backup server, …" />
            )}
          </Field>
          <ScopePicker
            chosen={chosen}
            error={problemOf(problems, "scopes")}
            onChosenChange={setChosen}
            onPresetChange={setPreset}
            preset={preset}
          />
          <ExpiryField error={problemOf(problems, "expires_at")} />
          <Field
            error={problemOf(problems, "cidrs")}
            hint="Addresses or ranges such as 203.0.113.0/24, one per line. If left empty, it works from anywhere."
            label={labels.cidrs}
            name="cidrs"
            optional
          >
            {(control) => (
              <Textarea
                {...control}
                autoComplete="off"
                className="font-mono"
                placeholder="203.0.113.7"
                rows={2}
                spellCheck={false}
              />
            )}
          </Field>
          {rateLimit && (
            <Field
              error={problemOf(problems, "rate_limit")}
              hint="600 if left empty."
              label={labels.rate_limit}
              name="rate_limit"
              optional
            >
              {(control) => (
                <Input {...control} autoComplete="off" className="max-w-32" inputMode="numeric" placeholder="600" />
              )}
            </Field>
          )}
          {signingAvailable && (
            <ChoiceCards
              choices={signingChoices}
              columns={3}
              legend="Signed requests"
              name="signing"
              onChange={(value) => setSigning(signingChoices.find((choice) => choice.value === value)?.value ?? "none")}
              value={signing}
            />
          )}
          {refusal && <SubmissionError failure={refusal} refusalNote="No key was created." />}
          <div className="flex flex-col gap-2.5">
            <p className="text-sm text-text-muted">
              Free of charge. The key is shown once, right after this
              {rateLimit ? "" : "; it may make 600 requests per minute"}.
            </p>
            <div className="flex flex-wrap gap-2">
              <Button loading={pending} type="submit" variant="primary">
                Create key
              </Button>
              <ButtonLink href={cancelHref}>Cancel</ButtonLink>
            </div>
          </div>
        </div>
      </Card>
    </form>
  );
}
