"use client";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
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
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { ProviderInput } from "./provider.ts";

const labels = { name: "Name", base_url: "Address", api_key: "API key", signing_secret: "Signing secret" };

export interface ProviderFormProps {
  /** Null: a new one. */
  readonly stored: { readonly name: string; readonly baseUrl: string; readonly signs: boolean } | null;
  readonly cancelHref: string;
  readonly action: OnceAction<ProviderInput, { readonly href: string }>;
}

/** Credentials are written and never shown. An empty key keeps the stored one, unless the address changes. */
export function ProviderForm({ stored, cancelHref, action }: ProviderFormProps) {
  const router = useRouter();
  const [baseUrl, setBaseUrl] = useState(stored?.baseUrl ?? "");
  const [chosen, setSigning] = useState<ProviderInput["signing"]>(stored?.signs ? "keep" : "none");
  // What is stored is for the stored address alone.
  const keeps = stored !== null && baseUrl.trim() === stored.baseUrl;
  const signing = chosen === "keep" && !keeps ? "set" : chosen;
  const { pending, failure, send } = useSubmission(action, ({ href }) => {
    toast({ title: stored === null ? "Provider added" : "Provider changed", tone: "positive" });
    router.push(href);
    return true;
  });
  const { problems, refusal } = useFieldProblems(failure, labels);
  const shown = { base_url: stored?.baseUrl ?? "", signing_secret: stored?.signs ? "stored" : "none" };
  const { serverChanges, beforeSending } = useServerChanges(failure, shown, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    beforeSending();
    void send({
      name: stored?.name ?? text("name"),
      base_url: baseUrl.trim(),
      api_key: text("api_key"),
      signing,
      signing_secret: signing === "set" ? text("signing_secret") : "",
    });
  }

  const choices = [
    ...(stored?.signs && keeps ? [{ value: "keep", label: "Sign with the stored secret" }] : []),
    { value: "none", label: "Do not sign", detail: "The key alone is enough there." },
    {
      value: "set",
      label: stored?.signs && keeps ? "Sign with another secret" : "Sign",
      detail: "With the key's signing secret.",
    },
  ];
  return (
    <form method="dialog" noValidate onSubmit={submit}>
      <Card className="max-w-2xl">
        <div className="flex flex-col gap-5">
          <ErrorSummary problems={problems} />
          {stored === null && (
            <Field
              error={problemOf(problems, "name")}
              hint="Products refer to it by this name, such as upstream; it cannot be changed."
              label={labels.name}
              name="name"
            >
              {(control) => <Input {...control} autoComplete="off" className="sm:max-w-64" mono spellCheck={false} />}
            </Field>
          )}
          <Field
            error={problemOf(problems, "base_url")}
            hint={
              stored === null
                ? "Of the dispatch interface; ends in /api/v1/."
                : "Only another address of the same service: its licenses are known by the names that it gave them."
            }
            label={labels.base_url}
            name="base_url"
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                inputMode="url"
                mono
                onChange={({ target }) => setBaseUrl(target.value)}
                placeholder="https://licenses.example/api/v1/"
                spellCheck={false}
                value={baseUrl}
              />
            )}
          </Field>
          <Field
            error={problemOf(problems, "api_key")}
            hint={keyHint(stored !== null, keeps)}
            label={labels.api_key}
            name="api_key"
            optional={keeps}
          >
            {(control) => (
              <Input {...control} autoComplete="off" data-1p-ignore="" mono spellCheck={false} type="password" />
            )}
          </Field>
          <ChoiceCards
            choices={choices}
            columns={choices.length === 3 ? 3 : 2}
            legend="Signed requests"
            name="signing"
            onChange={(value) => setSigning(value as ProviderInput["signing"])}
            value={signing}
          />
          {signing === "set" && (
            <Field
              error={problemOf(problems, "signing_secret")}
              hint="Stored encrypted and never shown again."
              label={labels.signing_secret}
              name="signing_secret"
            >
              {(control) => (
                <Input {...control} autoComplete="off" data-1p-ignore="" mono spellCheck={false} type="password" />
              )}
            </Field>
          )}
          {refusal && (
            <SubmissionError
              failure={refusal}
              refusalNote={stored === null ? "No provider was added." : "Nothing was changed."}
              serverChanges={serverChanges}
            />
          )}
          <div className="flex flex-wrap gap-2">
            <Button loading={pending} type="submit" variant="primary">
              {stored === null ? "Add provider" : "Save changes"}
            </Button>
            <ButtonLink href={cancelHref}>Cancel</ButtonLink>
          </div>
        </div>
      </Card>
    </form>
  );
}

function keyHint(isStored: boolean, keeps: boolean): string {
  if (!isStored) return "Your key at this provider. It is stored encrypted and never shown again.";
  return keeps
    ? "Never shown. Leave empty to keep the stored key."
    : "Enter it again: the stored key stays with the stored address.";
}
