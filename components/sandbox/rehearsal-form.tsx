"use client";
import { Form } from "#components/form/form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { RehearsedOutcome } from "#lib/domain/simulation.ts";

/** What the provider does, and what the API answers. */
const outcomes = {
  reject: "Rejects the change (400, nothing charged)",
  lose_answer: "Makes the change, but the answer is lost (202, succeeds later)",
  lose_request: "Never receives the request (202, released later)",
  slow: "Takes 3 seconds",
  garble: "Makes the change, but the answer is unreadable (202, succeeds later)",
  refuse_connection: "Is unreachable (503, nothing sent)",
} as const satisfies Record<RehearsedOutcome, string>;

export interface RehearsalInput {
  readonly outcome: string;
  readonly remaining: string;
}

export interface RehearsalFormProps {
  readonly current: { readonly outcome: RehearsedOutcome; readonly remaining: number } | null;
  readonly action: OnceAction<RehearsalInput>;
}

/** How the provider of test mode treats the next changes. */
export function RehearsalForm({ current, action }: RehearsalFormProps) {
  const form = useForm(action, () => toast({ title: "Rehearsal set", tone: "positive" }));
  const outcome = current?.outcome ?? "reject";
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
        key={outcome}
        label="Provider behavior"
        name="outcome"
        options={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
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
