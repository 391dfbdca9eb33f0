"use client";
import type { changeAddress } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { ResellersLink } from "#components/reseller/act-as.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { ChangeAddressDialog } from "./change-address-dialog.tsx";
import type { LicenseDetails } from "./license-details.ts";

export interface ChangeAddressProps {
  readonly license: LicenseDetails;
  /** Moves to this address. */
  readonly action: Bound<typeof changeAddress>;
}

/** Beside the address. A member of a bundle moves with it: then it leads there. */
export function ChangeAddress({ license, action }: ChangeAddressProps) {
  if (license.bundleInstanceId !== null) {
    return (
      license.movable && (
        <ResellersLink href={`/bundles/${license.bundleInstanceId}?change=address`}>
          Change it for the whole bundle
        </ResellersLink>
      )
    );
  }
  return (
    <DialogButton
      aria-label="Change IP"
      className="-mr-2.5"
      label="Change"
      offered={license.movable}
      size="sm"
      variant="link"
    >
      {(onClose) => (
        <ChangeAddressDialog
          action={action}
          confirmLabel="Change IP"
          description={`The license then verifies only at the new address, and stops at ${license.ipAddress} at once.`}
          ipAddress={license.ipAddress}
          moving={[license]}
          onClose={onClose}
        />
      )}
    </DialogButton>
  );
}
