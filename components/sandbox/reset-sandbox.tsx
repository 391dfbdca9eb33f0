"use client";
import { useState } from "react";
import { ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Button } from "#components/ui/button.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

/** A button, and the question before everything in test mode is replaced. */
export function ResetSandbox({ action }: { readonly action: OnceAction<undefined> }) {
  const [open, setOpen] = useState(false);
  const form = useForm(
    (_: object, key?: string) => action(undefined, key),
    () => {
      window.location.assign("/test-mode");
      return true;
    },
  );
  return (
    <>
      <Button className="self-start" onClick={() => setOpen(true)} variant="critical-quiet">
        Reset test mode
      </Button>
      {open && (
        <ConfirmForm
          confirmLabel="Reset test mode"
          description="All test licenses, bundles, entries, jobs and events disappear, and the play money starts over. Test keys and webhook endpoints stay; keys for one license end. Nothing live changes."
          form={form}
          onClose={() => setOpen(false)}
          title="Reset test mode?"
          tone="critical"
        />
      )}
    </>
  );
}
