"use client";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import type { AddressInput } from "./change-address-dialog.tsx";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseChanged } from "./license-details.ts";

export interface RebindProps {
  /** `lic_12`. */
  readonly id: string;
  readonly product: string;
  readonly boundIp: string;
  readonly seenIp: string;
  /** Binds the license to this address. */
  readonly action: OnceAction<AddressInput, LicenseChanged>;
}

/** Binds a license to the address that it was seen on, after asking. */
export function Rebind({ id, product, boundIp, seenIp, action }: RebindProps) {
  const [open, setOpen] = useState(false);
  const { pending, failure, send, reset } = useSubmission(action, (changed) => {
    setOpen(false);
    toast(changed.pending ? unconfirmed : { title: `Bound to ${seenIp}`, tone: "positive" });
  });
  return (
    <>
      <Button
        aria-label={`Rebind here: ${seenIp}`}
        onClick={() => {
          reset();
          setOpen(true);
        }}
        size="sm"
      >
        Rebind here
      </Button>
      {open && (
        <ConfirmDialog
          confirmLabel={`Bind to ${seenIp}`}
          cost={[
            { label: "Bound to now", value: <span className="font-mono">{boundIp}</span> },
            { label: "Bound to afterwards", value: <span className="font-mono">{seenIp}</span> },
            { label: "Charged", value: "Nothing" },
          ]}
          description={`From then on ${product} (${id}) verifies only at ${seenIp}. Do this only if the server there is yours: at ${boundIp} it stops verifying at once.`}
          onClose={() => setOpen(false)}
          onConfirm={() => void send({ new_ip: seenIp })}
          open
          pending={pending}
          title="Rebind the license?"
        >
          {failure && <SubmissionError failure={failure} refusalNote="Nothing was changed." />}
        </ConfirmDialog>
      )}
    </>
  );
}
