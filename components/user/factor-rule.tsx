"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface FactorRuleProps {
  readonly required: boolean;
  readonly action: OnceAction<{ readonly required: boolean }>;
}

/** Makes two-step sign-in required or optional for the team. */
export function FactorRule({ required, action }: FactorRuleProps) {
  const label = required ? "Make optional" : "Require for everyone";
  return (
    <DialogButton label={label} size="sm">
      {(onClose) => (
        <ConfirmChange
          action={action}
          confirmLabel={label}
          description={
            required
              ? "Users can remove their second factor again."
              : "Anyone on the team without it can do nothing else until they set it up, from their next click on."
          }
          done={required ? "Two-step sign-in is optional" : "Two-step sign-in is required"}
          input={{ required: !required }}
          onClose={onClose}
          title={required ? "Make two-step sign-in optional?" : "Require two-step sign-in?"}
        />
      )}
    </DialogButton>
  );
}
