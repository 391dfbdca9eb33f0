"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import { useServerChanges } from "#components/form/use-server-changes.ts";
import type { Submission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { Textarea } from "#components/ui/textarea.tsx";
import type { ProductInput } from "./catalog.ts";

const labels = {
  name: "Name",
  type: "Type",
  description: "Description",
  provider: "Provider",
  provider_sku: "Provider's code",
  workers: "Workers",
  core_metered: "Metered by cores",
};

export interface ProductFormProps {
  readonly initial: ProductInput;
  readonly providers: readonly string[];
  /** Why a field stays as it is; absent: it can be changed. */
  readonly fixed: { readonly type?: string; readonly provider?: string; readonly coreMetered?: string };
  readonly submission: Submission<ProductInput>;
  readonly submitLabel: string;
  readonly refusalNote: string;
  readonly cancel: ReactNode;
}

/** For a new product and for one that is changed. */
export function ProductForm(props: ProductFormProps) {
  const { initial, providers, fixed, submission, submitLabel, refusalNote, cancel } = props;
  const { pending, failure, send } = submission;
  const [coreMetered, setCoreMetered] = useState(initial.core_metered);
  const { problems, refusal } = useFieldProblems(failure, labels);
  const stored = { ...initial, core_metered: initial.core_metered ? "Yes" : "No" };
  const { serverChanges, beforeSending } = useServerChanges(failure, stored, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    // What is disabled is not in the form's data: it stays as it was.
    const text = (name: keyof ProductInput) => String(form.get(name) ?? initial[name]).trim();
    beforeSending();
    void send({
      type: text("type"),
      name: text("name"),
      description: text("description"),
      provider: text("provider"),
      provider_sku: text("provider_sku"),
      core_metered: coreMetered,
      workers: text("workers"),
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
            error={problemOf(problems, "type")}
            hint={fixed.type ?? "What programs call it, such as control_panel. It never changes."}
            label={labels.type}
            name="type"
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                defaultValue={initial.type}
                disabled={fixed.type !== undefined}
                mono
                spellCheck={false}
              />
            )}
          </Field>
          <Field
            error={problemOf(problems, "description")}
            hint="Resellers see it when they choose what to register."
            label={labels.description}
            name="description"
            optional
          >
            {(control) => <Textarea {...control} defaultValue={initial.description} rows={2} />}
          </Field>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              error={problemOf(problems, "provider")}
              hint={fixed.provider ?? "Who issues its licenses."}
              label={labels.provider}
              name="provider"
            >
              {(control) => (
                <Select
                  {...control}
                  defaultValue={initial.provider}
                  disabled={fixed.provider !== undefined}
                  options={providers.map((name) => ({ value: name, label: name }))}
                />
              )}
            </Field>
            <Field
              error={problemOf(problems, "provider_sku")}
              hint="What the provider calls it."
              label={labels.provider_sku}
              name="provider_sku"
            >
              {(control) => (
                <Input
                  {...control}
                  autoComplete="off"
                  defaultValue={initial.provider_sku}
                  disabled={fixed.provider !== undefined}
                  mono
                  spellCheck={false}
                />
              )}
            </Field>
          </div>
          <div>
            <Checkbox
              checked={coreMetered}
              disabled={fixed.coreMetered !== undefined}
              hint={fixed.coreMetered ?? "The price includes one core; each further one costs extra."}
              label={labels.core_metered}
              name="core_metered"
              onChange={({ target }) => setCoreMetered(target.checked)}
            />
            {problemOf(problems, "core_metered") && (
              <p className="mt-1 text-critical text-sm">{problemOf(problems, "core_metered")}</p>
            )}
          </div>
          <Field
            error={problemOf(problems, "workers")}
            hint="Worker processes that a license allows; 0 where the product has none."
            label={labels.workers}
            name="workers"
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                className="tabular max-w-32"
                defaultValue={initial.workers}
                inputMode="numeric"
              />
            )}
          </Field>
          {refusal && <SubmissionError failure={refusal} refusalNote={refusalNote} serverChanges={serverChanges} />}
          <div className="flex flex-wrap gap-2">
            <Button loading={pending} type="submit" variant="primary">
              {submitLabel}
            </Button>
            {cancel}
          </div>
        </div>
      </Card>
    </form>
  );
}
