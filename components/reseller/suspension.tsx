"use client";
import type { suspend } from "#app/(dashboard)/resellers/[id]/settings/actions.ts";
import { ConfirmButton } from "#components/form/confirm-button.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import type { Bound } from "#lib/domain/action-result.ts";

export interface SuspensionProps {
  readonly name: string;
  readonly suspended: boolean;
  readonly action: Bound<typeof suspend>;
}

/** A button, and the question before a reseller is suspended or admitted again. */
export function Suspension({ name, suspended, action }: SuspensionProps) {
  return (
    <ConfirmButton
      action={action}
      confirmLabel={suspended ? "Lift the suspension" : "Suspend"}
      description={
        suspended
          ? "Its users can sign in again and its API keys work again. Paused changes continue, and renewals that came due meanwhile are made if the term still runs."
          : "Nothing more is charged from now on: running changes pause and nothing renews. Its users are signed out, and its API keys are refused within seconds. Running licenses continue until their term ends."
      }
      done={suspended ? `${name} is active again` : `${name} is suspended`}
      input={(textOf) => ({ suspended: !suspended, reason: textOf("reason") })}
      title={suspended ? `Lift the suspension of ${name}?` : `Suspend ${name}?`}
      tone={suspended ? "default" : "critical"}
      label={suspended ? "Lift the suspension" : "Suspend reseller"}
      button={{ variant: suspended ? "secondary" : "critical-quiet" }}
    >
      {!suspended && (
        <TextareaField
          data-autofocus
          hint="Administrators see it here and in the audit log."
          label="Reason"
          name="reason"
        />
      )}
    </ConfirmButton>
  );
}
