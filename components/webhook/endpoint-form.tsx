"use client";
import { type FormEvent, type ReactNode, useState } from "react";
import { ChoiceCards } from "#components/form/choice-cards.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { problemOf, useFieldProblems } from "#components/form/use-field-problems.ts";
import type { Submission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ErrorSummary } from "#components/ui/error-summary.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import type { EventKind } from "#lib/domain/events.ts";
import { KindPicker } from "./kind-picker.tsx";
import { ReceiverRules } from "./receiver-rules.tsx";
import type { EndpointInput } from "./webhook.ts";

const MAX_CONCURRENCY = 10;
const labels = { url: "URL", description: "Description", events: "Events", concurrency: "Concurrent requests" };

export interface EndpointFormProps {
  readonly initial: Omit<EndpointInput, "events"> & { readonly events: readonly EventKind[] };
  readonly submission: Submission<EndpointInput>;
  readonly submitLabel: string;
  /** What did not happen when the server refused. */
  readonly refusalNote: string;
  /** Beside the button that submits. */
  readonly cancel: ReactNode;
}

/** Where to, what, and how; for a new endpoint and for one that is changed. */
export function EndpointForm({ initial, submission, submitLabel, refusalNote, cancel }: EndpointFormProps) {
  const { pending, failure, send } = submission;
  const [every, setEvery] = useState(initial.every_event);
  const [kinds, setKinds] = useState(initial.events);
  const [ordered, setOrdered] = useState(initial.ordered);
  const { problems, refusal } = useFieldProblems(failure, labels);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void send({
      url: String(form.get("url")).trim(),
      description: String(form.get("description")).trim(),
      every_event: every,
      events: kinds,
      ordered,
      concurrency: Number(form.get("concurrency") ?? initial.concurrency),
    });
  }

  return (
    <form className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]" noValidate onSubmit={submit}>
      <Card>
        <div className="flex flex-col gap-5">
          <ErrorSummary problems={problems} />
          <Field
            error={problemOf(problems, "url")}
            hint="Reachable from the Internet. Each event is sent there as a POST with a JSON body."
            label={labels.url}
            name="url"
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                defaultValue={initial.url}
                inputMode="url"
                mono
                placeholder="https://example.com/webhooks"
                spellCheck={false}
              />
            )}
          </Field>
          <Field error={problemOf(problems, "description")} label={labels.description} name="description" optional>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                defaultValue={initial.description}
                placeholder="Billing system, staging, …"
              />
            )}
          </Field>
          <KindPicker
            error={problemOf(problems, "events")}
            every={every}
            kinds={kinds}
            onEveryChange={setEvery}
            onKindsChange={setKinds}
          />
          <ChoiceCards
            choices={[
              { value: "any", label: "As fast as possible", detail: "Several at a time, in any order." },
              { value: "ordered", label: "In order", detail: "One at a time; a failed one holds up the rest." },
            ]}
            columns={2}
            legend="Order"
            name="ordered"
            onChange={(value) => setOrdered(value === "ordered")}
            value={ordered ? "ordered" : "any"}
          />
          {!ordered && (
            <Field
              error={problemOf(problems, "concurrency")}
              hint="The most requests your system gets at once."
              label={labels.concurrency}
              name="concurrency"
            >
              {(control) => (
                <Select
                  {...control}
                  className="max-w-32"
                  defaultValue={String(initial.concurrency)}
                  options={Array.from({ length: MAX_CONCURRENCY }, (_, index) => ({
                    value: String(index + 1),
                    label: String(index + 1),
                  }))}
                />
              )}
            </Field>
          )}
          {refusal && <SubmissionError failure={refusal} refusalNote={refusalNote} />}
          <div className="flex flex-wrap gap-2">
            <Button loading={pending} type="submit" variant="primary">
              {submitLabel}
            </Button>
            {cancel}
          </div>
        </div>
      </Card>
      <ReceiverRules />
    </form>
  );
}
