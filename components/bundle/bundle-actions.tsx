"use client";
import { ArrowRightLeft, RefreshCw } from "lucide-react";
import type { changeAddress, renew } from "#app/(dashboard)/bundles/[id]/actions.ts";
import { ChangeAddressDialog } from "#components/license/change-address-dialog.tsx";
import { RenewDialog } from "#components/license/renew-dialog.tsx";
import { usePermission } from "#components/shell/permissions.tsx";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import type { BundleDetails } from "./bundle-details.ts";

export interface BundleActionsProps {
  readonly bundle: BundleDetails;
  /** Empty where it cannot be renewed. */
  readonly quotes: readonly RenewalQuote[];
  /** Null: the reader does not spend money. */
  readonly balance: WalletBalance | null;
  readonly renew: Bound<typeof renew>;
  /** Moves to this address. */
  readonly changeAddress: Bound<typeof changeAddress>;
}

/** What can be done with a bundle now; why something cannot is said by its notice. */
export function BundleActions({ bundle, quotes, balance, renew, changeAddress }: BundleActionsProps) {
  const mayMove = usePermission("bundles:write");
  const movable = mayMove && !bundle.busy && (bundle.status === "active" || bundle.status === "expired");
  const renewable = quotes.length > 0 && balance !== null;
  return (
    <>
      <DialogButton askedBy="change" icon={<ArrowRightLeft />} label="Change IP" offered={movable}>
        {(onClose) => (
          <ChangeAddressDialog
            action={changeAddress}
            confirmLabel={`Move ${bundle.members.length} licenses`}
            description="All licenses of the bundle move together, or none does. They then verify only at the new address."
            ipAddress={bundle.ipAddress}
            moving={bundle.members}
            onClose={onClose}
          />
        )}
      </DialogButton>
      {renewable && (
        <DialogButton icon={<RefreshCw />} label="Renew" offered={!bundle.busy} variant="primary">
          {(onClose) => (
            <RenewDialog
              action={renew}
              balance={balance}
              description={`${bundle.name}: all ${bundle.members.length} licenses, or none`}
              expiresAt={bundle.expiresAt}
              onClose={onClose}
              quotes={quotes}
              title="Renew this bundle?"
            />
          )}
        </DialogButton>
      )}
    </>
  );
}
