"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { TextField } from "#components/ui/field.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseChanged, LicenseDetails } from "./license-details.ts";

export interface TerminateDialogProps {
  readonly license: LicenseDetails;
  /** Ends it when the text is its id. */
  readonly action: OnceAction<{ readonly typed_id: string }, LicenseChanged>;
  readonly onClose: () => void;
}

/** Asks to type the license's id before it is ended for good, and says that nothing is paid back. */
export function TerminateDialog({ license, action, onClose }: TerminateDialogProps) {
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Terminate for good"
      cost={[
        { label: "Paid until", value: <Timestamp format="date" value={license.expiresAt} /> },
        { label: "Refund", value: "None" },
      ]}
      description={`${license.product} stops verifying at ${license.ipAddress} at once and cannot be brought back. To stop it for a while, suspend it instead.`}
      done={(changed) => (changed.pending ? unconfirmed : { title: `${license.id} is terminated` })}
      onClose={onClose}
      title={`Terminate ${license.id}?`}
      tone="critical"
    >
      <TextField
        autoCapitalize="off"
        data-autofocus
        label={`Type ${license.id} to confirm`}
        mono
        name="typed_id"
        spellCheck={false}
      />
    </ConfirmChange>
  );
}
