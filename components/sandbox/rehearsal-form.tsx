"use client";
import { useState } from "react";
import type { rehearse } from "#app/(dashboard)/test-mode/actions.ts";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { RehearsedOutcome } from "#lib/domain/simulation.ts";

/** What the provider does, and what then happens. */
const outcomes = {
  reject: ["Rejects the change", "The API answers 400, and nothing is charged."],
  lose_answer: ["Loses its answer", "It makes the change. The API answers 202, and the change succeeds later."],
  lose_request: ["Never receives the request", "The API answers 202, and the money is released later."],
  slow: ["Takes 3 seconds", "The change succeeds."],
  garble: ["Answers unreadably", "It makes the change. The API answers 202, and the change succeeds later."],
  refuse_connection: ["Is unreachable", "The API answers 503: nothing is sent or charged."],
} as const satisfies Record<RehearsedOutcome, readonly [label: string, effect: string]>;

export interface RehearsalFormProps {
  readonly current: { readonly outcome: RehearsedOutcome; readonly remaining: number } | null;
  readonly action: typeof rehearse;
}

/** How the provider of test mode treats the next changes. */
export function RehearsalForm({ current, action }: RehearsalFormProps) {
  const form = useForm(action, () => toast({ title: "Rehearsal set", tone: "positive" }));
  const outcome = current?.outcome ?? "reject";
  const [chosen, setChosen] = useState<RehearsedOutcome>(outcome);
  return (
    <Form
      buttons={
        current && (
          <Button disabled={form.pending} onClick={() => void form.send({ outcome, remaining: "0" })} variant="ghost">
            No failures
          </Button>
        )
      }
      form={form}
      submitLabel="Rehearse"
    >
      <SelectField
        defaultValue={outcome}
        hint={outcomes[chosen][1]}
        key={outcome}
        label="Provider behavior"
        name="outcome"
        onChange={({ target }) => setChosen(target.value as RehearsedOutcome)}
        options={Object.entries(outcomes).map(([value, [label]]) => ({ value, label }))}
      />
      <TextField
        defaultValue={String(current?.remaining ?? 1)}
        hint={
          current
            ? `Applies to the next ${current.remaining === 1 ? "change" : `${current.remaining} changes`}.`
            : "Changes succeed until you set a failure."
        }
        inputMode="numeric"
        key={current?.remaining ?? 0}
        label="Number of changes"
        name="remaining"
      />
    </Form>
  );
}
