"use client";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { toastWithUndo } from "#components/form/toast-with-undo.ts";
import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseChanged, LicenseDetails, SuspendInput, UnsuspendInput } from "./license-details.ts";

interface DialogProps {
  readonly license: LicenseDetails;
  readonly suspend: OnceAction<SuspendInput, LicenseChanged>;
  readonly unsuspend: OnceAction<UnsuspendInput, LicenseChanged>;
  readonly onClose: () => void;
}

export function SuspendDialog({ license, suspend, unsuspend, onClose }: DialogProps) {
  const lifting =
    useViewedReseller() === null ? "You can lift the suspension at any time." : "Only admins can lift the suspension.";
  return (
    <ConfirmChange
      action={suspend}
      confirmLabel="Suspend"
      description={`${license.id} stops verifying at once, and its term goes on. ${lifting} Both are free.`}
      done={(changed) => {
        if (changed.pending) return unconfirmed;
        toastWithUndo("License suspended", {
          action: unsuspend,
          input: { license_id: license.licenseId },
          title: "Suspension lifted",
        });
      }}
      input={{ license_id: license.licenseId }}
      onClose={onClose}
      title="Suspend this license?"
      tone="critical"
    >
      <TextareaField
        data-autofocus
        label="Reason"
        name="reason"
        optional
        placeholder="Payment overdue, customer left, …"
        rows={2}
      />
    </ConfirmChange>
  );
}

export function UnsuspendDialog({ license, suspend, unsuspend, onClose }: DialogProps) {
  return (
    <ConfirmChange
      action={unsuspend}
      confirmLabel="Lift suspension"
      description={`${license.id} verifies again at once. This is free.`}
      done={(changed) => {
        if (changed.pending) return unconfirmed;
        toastWithUndo("Suspension lifted", {
          action: suspend,
          input: { license_id: license.licenseId, reason: license.suspensionReason },
          title: "License suspended again",
        });
      }}
      input={{ license_id: license.licenseId }}
      onClose={onClose}
      title="Lift the suspension?"
    />
  );
}
