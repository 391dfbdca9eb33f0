"use client";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

/** A button, and the question before everything in test mode is replaced. */
export function ResetSandbox({ action }: { readonly action: OnceAction<undefined> }) {
  const form = useForm(
    (_: object, key?: string) => action(undefined, key),
    () => {
      window.location.assign("/test-mode");
      return true;
    },
  );
  return (
    <DialogButton className="self-start" label="Reset test mode" variant="critical-quiet">
      {(onClose) => (
        <ConfirmForm
          confirmLabel="Reset test mode"
          description="All test licenses, bundles, entries, jobs and events disappear, and the play money starts over. Test keys and webhook endpoints stay; keys for one license end. Nothing live changes."
          form={form}
          onClose={onClose}
          title="Reset test mode?"
          tone="critical"
        />
      )}
    </DialogButton>
  );
}
