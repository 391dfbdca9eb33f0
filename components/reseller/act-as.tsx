"use client";
import { Eye } from "lucide-react";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";

export interface ActAsProps {
  readonly name: string;
  readonly action: OnceAction<undefined>;
}

/** A button, and the question before an admin sees what a reseller sees. */
export function ActAs({ name, action }: ActAsProps) {
  const [open, setOpen] = useState(false);
  const { pending, failure, send } = useSubmission(action, () => {
    // A page load, not a navigation: nothing of the admin's pages stays in memory.
    window.location.assign("/");
    return true;
  });
  return (
    <>
      <Button icon={<Eye aria-hidden className="size-3.5" />} onClick={() => setOpen(true)}>
        Act as
      </Button>
      {open && (
        <ConfirmDialog
          confirmLabel="Act as this reseller"
          description="You see this reseller's dashboard and can do what its users can, for an hour or until you stop. Charges go to its wallet, and what you do is logged under your name."
          onClose={() => setOpen(false)}
          onConfirm={() => void send(undefined)}
          open
          pending={pending}
          title={`Act as ${name}?`}
        >
          {failure && <SubmissionError failure={failure} refusalNote="You are still signed in as yourself." />}
        </ConfirmDialog>
      )}
    </>
  );
}
