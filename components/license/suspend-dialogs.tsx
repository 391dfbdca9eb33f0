"use client";
import { CirclePlay } from "lucide-react";
import type { suspend, unsuspend } from "#app/(dashboard)/licenses/[id]/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { toastWithUndo } from "#components/form/toast-with-undo.ts";
import { useSubmission } from "#components/form/use-submission.ts";
import { usePermission } from "#components/shell/permissions.tsx";
import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextareaField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { Bound, ValueOf } from "#lib/domain/action-result.ts";
import { staysExpired, unconfirmed } from "./license-changes.ts";
import type { LicenseDetails } from "./license-details.ts";

interface DialogProps {
  readonly license: LicenseDetails;
  readonly suspend: Bound<typeof suspend>;
  readonly unsuspend: Bound<typeof unsuspend>;
  readonly onClose: () => void;
}

export function SuspendDialog({ license, suspend, unsuspend, onClose }: DialogProps) {
  const lifting =
    useViewedReseller() === null
      ? "You can lift the suspension at any time."
      : "Only administrators can lift the suspension.";
  return (
    <ConfirmChange
      action={suspend}
      confirmLabel="Suspend"
      description={`${license.ended ? "Its term has ended: suspended, it does not verify after a renewal either." : `${license.id} stops verifying at once, and its term is not extended.`} ${lifting} Both are free.`}
      done={(changed) => {
        if (changed.pending) return unconfirmed;
        toastWithUndo("License suspended", {
          subject: "suspension",
          action: unsuspend,
          input: { license_id: license.licenseId },
          title: "Suspension lifted",
          exact: changed.changed,
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
      />
    </ConfirmChange>
  );
}

export function UnsuspendDialog({ license, suspend, unsuspend, onClose }: DialogProps) {
  const afterLift = useAfterLift({ license, suspend });
  return (
    <ConfirmChange
      action={unsuspend}
      confirmLabel="Lift suspension"
      description={
        license.ended ? `${staysExpired} Lifting is free.` : `${license.id} verifies again at once. This is free.`
      }
      done={afterLift}
      input={{ license_id: license.licenseId }}
      onClose={onClose}
      title="Lift the suspension?"
    />
  );
}

/** Lifts a suspension by one press, which is free and can be undone. */
export function LiftSuspension(props: Omit<DialogProps, "onClose">) {
  const mayChange = usePermission("licenses:write");
  if (!mayChange || props.license.busy || props.license.suspendedBy === "admin") return null;
  return <LiftButton {...props} />;
}

function LiftButton({ license, suspend, unsuspend }: Omit<DialogProps, "onClose">) {
  const { send, pending, failure } = useSubmission(unsuspend, useAfterLift({ license, suspend }));
  return (
    <div className="flex flex-col items-end gap-2">
      <Button icon={<CirclePlay />} loading={pending} onClick={() => void send({ license_id: license.licenseId })}>
        Lift suspension
      </Button>
      {failure && <SubmissionError failure={failure} refusalNote="It is still suspended." />}
    </div>
  );
}

/** An admin's suspension of what the reseller had suspended would be one that the reseller cannot lift. */
function useAfterLift({ license, suspend }: Pick<DialogProps, "license" | "suspend">) {
  const suspendsAs = useViewedReseller() === null ? "reseller" : "admin";
  return ({ pending, changed, status }: ValueOf<typeof unsuspend>) => {
    if (pending) {
      toast(unconfirmed);
      return;
    }
    toastWithUndo("Suspension lifted", {
      description: status === "expired" ? staysExpired : undefined,
      subject: "suspension",
      action: suspend,
      input: { license_id: license.licenseId, reason: license.suspensionReason },
      title: "License suspended again",
      exact: changed && license.suspendedBy === suspendsAs,
    });
  };
}
