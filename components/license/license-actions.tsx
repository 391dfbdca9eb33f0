"use client";
import { ArrowRightLeft, CirclePlay, CircleX, Pause, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { renew, suspend, unsuspend } from "#app/(dashboard)/licenses/[id]/actions.ts";
import type { terminate } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { ActAsDialog } from "#components/reseller/act-as.tsx";
import { usePermission } from "#components/shell/permissions.tsx";
import { useViewedReseller } from "#components/shell/viewed-reseller.tsx";
import { Button } from "#components/ui/button.tsx";
import { DropdownMenu } from "#components/ui/dropdown-menu.tsx";
import { TextField } from "#components/ui/field.tsx";
import { formatTime } from "#components/ui/format-time.ts";
import { MenuItem, MenuLink } from "#components/ui/menu-item.tsx";
import { useTimeZone } from "#components/ui/time-zone.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { WalletBalance } from "#components/wallet/use-balance.ts";
import type { Bound } from "#lib/domain/action-result.ts";
import type { RenewalQuote } from "#lib/services/license/quote-renewal.ts";
import { unconfirmed } from "./license-changes.ts";
import type { LicenseDetails } from "./license-details.ts";
import { RenewDialog } from "./renew-dialog.tsx";
import { SuspendDialog, UnsuspendDialog } from "./suspend-dialogs.tsx";

export interface LicenseActionsProps {
  readonly license: LicenseDetails;
  /** Empty where it cannot be renewed by itself. */
  readonly quotes: readonly RenewalQuote[];
  /** Null: the reader does not spend money. */
  readonly balance: WalletBalance | null;
  readonly renew: Bound<typeof renew>;
  readonly suspend: Bound<typeof suspend>;
  readonly unsuspend: Bound<typeof unsuspend>;
  /** Ends it when the text is its id. */
  readonly terminate: Bound<typeof terminate>;
}

/**
 * What can be done with a license now; why something cannot is said by its notice. An open dialog stays when the page
 * learns of another operation: what was typed is kept, and the server says why it cannot be sent.
 */
export function LicenseActions(props: LicenseActionsProps) {
  const { license, quotes, balance, renew, suspend, unsuspend, terminate } = props;
  const [mayChange, mayTerminate] = [usePermission("licenses:write"), usePermission("licenses:terminate")];
  const [open, setOpen] = useState<"renew" | "suspend" | "unsuspend" | "terminate" | "relocate" | null>(null);
  const viewed = useViewedReseller();
  const close = () => setOpen(null);
  const renewable = quotes.length > 0 && balance !== null;
  const offersRenewal = renewable && !license.busy;
  const locked = license.suspendedBy === "admin" && viewed === null;
  const relocateHref = `/relocations?from=${license.ipAddress}`;
  // Resellers lift it in its notice, by one press; an admin confirms whose license it is.
  const liftable = mayChange && !license.busy && license.status === "suspended" && viewed !== null;
  const endable = mayTerminate && license.changeable && license.bundleInstanceId === null && !locked;
  const dialog = { license, suspend, unsuspend, onClose: close };
  return (
    <>
      {mayChange && license.movable && license.suspendedAt === null && (
        <Button icon={<Pause />} onClick={() => setOpen("suspend")}>
          Suspend
        </Button>
      )}
      {liftable && (
        <Button icon={<CirclePlay />} onClick={() => setOpen("unsuspend")}>
          Lift suspension
        </Button>
      )}
      {offersRenewal && (
        <Button icon={<RefreshCw />} onClick={() => setOpen("renew")} variant="primary">
          Renew
        </Button>
      )}
      {license.changeable && mayChange && (
        <DropdownMenu label="More actions" size="md" variant="secondary">
          {viewed === null ? (
            <MenuLink href={relocateHref} icon={<ArrowRightLeft />}>
              Move everything on this server
            </MenuLink>
          ) : (
            <MenuItem icon={<ArrowRightLeft />} onSelect={() => setOpen("relocate")}>
              Move everything on this server, acting as the reseller
            </MenuItem>
          )}
          {endable && (
            <MenuItem icon={<CircleX />} onSelect={() => setOpen("terminate")} tone="critical">
              Terminate
            </MenuItem>
          )}
        </DropdownMenu>
      )}
      {open === "renew" && renewable && (
        <RenewDialog
          action={renew}
          balance={balance}
          description={`${license.id}, ${license.product}`}
          expiresAt={license.expiresAt}
          onClose={close}
          quotes={quotes}
          title="Renew this license?"
        />
      )}
      {open === "relocate" && viewed?.actAs && (
        <ActAsDialog action={viewed.actAs} href={relocateHref} name={viewed.name} onClose={close} />
      )}
      {open === "suspend" && <SuspendDialog {...dialog} />}
      {open === "terminate" && <TerminateDialog action={terminate} license={license} onClose={close} />}
      {open === "unsuspend" && <UnsuspendDialog {...dialog} />}
    </>
  );
}

interface TerminateDialogProps {
  readonly license: LicenseDetails;
  /** Ends it when the text is its id. */
  readonly action: Bound<typeof terminate>;
  readonly onClose: () => void;
}

/** Asks to type the license's id before it is ended for good, and says that nothing is paid back. */
function TerminateDialog({ license, action, onClose }: TerminateDialogProps) {
  const zone = useTimeZone();
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Terminate for good"
      cost={[
        { label: "Paid until", value: <Timestamp format="date" value={license.expiresAt} /> },
        { label: "Refund", value: "None" },
      ]}
      description={`${license.product} stops verifying at ${license.ipAddress} at once and cannot be restored. To stop it for a while, suspend it instead.`}
      done={(changed) => (changed.pending ? unconfirmed : { title: `${license.id} is terminated` })}
      onClose={onClose}
      stored={{ "IP address": license.ipAddress, "Paid until": formatTime(license.expiresAt, "date", zone) }}
      title={`Terminate ${license.id}?`}
      tone="critical"
    >
      <TextField autoCapitalize="off" data-autofocus label={`Type ${license.id} to confirm`} mono name="typed_id" />
    </ConfirmChange>
  );
}
