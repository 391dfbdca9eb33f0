"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export function EndOthers({ action }: { readonly action: OnceAction<Record<never, never>> }) {
  return (
    <DialogButton label="Sign out everywhere else" size="sm">
      {(onClose) => (
        <ConfirmChange
          action={action}
          confirmLabel="Sign out"
          description="Every other browser has to sign in again."
          done="Signed out everywhere else"
          onClose={onClose}
          refusalNote="The other sessions continue."
          title="Sign out everywhere else?"
        />
      )}
    </DialogButton>
  );
}
