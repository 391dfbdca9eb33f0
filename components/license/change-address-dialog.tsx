"use client";
import { useState } from "react";
import type { changeAddress } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { TextField } from "#components/ui/field.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { parseIpv4 } from "#lib/domain/ipv4.ts";
import { unconfirmed } from "./license-changes.ts";
import { MeantAddressQuestion } from "./meant-address-question.tsx";

export interface ChangeAddressDialogProps {
  /** What it means, e.g. that all move together. */
  readonly description: string;
  readonly confirmLabel: string;
  /** At present. */
  readonly ipAddress: string;
  /** The licenses that move; `id`: `lic_12`. */
  readonly moving: readonly { readonly id: string; readonly product: string }[];
  /** Moves to this address. */
  readonly action: Bound<typeof changeAddress>;
  readonly onClose: () => void;
}

/** Asks for the new address and shows every license that moves to it. */
export function ChangeAddressDialog(props: ChangeAddressDialogProps) {
  const { description, confirmLabel, ipAddress, moving, action, onClose } = props;
  const [address, setAddress] = useState("");
  const target = parseIpv4(address);
  // The page behind shows the new address before the dialog closes.
  const [present] = useState(ipAddress);
  const isPresent = target === present;
  return (
    <ConfirmChange
      action={action}
      confirmDisabled={isPresent}
      confirmLabel={confirmLabel}
      cost={[{ label: "Cost", value: "Free" }]}
      description={description}
      done={(changed) =>
        changed.pending ? unconfirmed : { title: `Moved to ${target ?? "the new address"}`, tone: "positive" }
      }
      onClose={onClose}
      refusalNote="Nothing was moved."
      stored={{ "IP address": ipAddress }}
      title="Change the IP?"
    >
      <TextField
        data-autofocus
        error={isPresent ? "This is the present address." : undefined}
        hint="An IPv4 address that has no live license of the same product yet."
        label="New address"
        mono
        name="new_ip"
        onChange={(event) => setAddress(event.target.value)}
        placeholder="203.0.113.7"
        value={address}
      />
      <MeantAddressQuestion about="new_ip" />
      <div className="text-sm">
        <p className="font-medium">{moving.length === 1 ? "This moves" : "These move"}</p>
        <ul className="mt-1 divide-y rounded-md border">
          {moving.map(({ id, product }) => (
            <li className="flex flex-col px-3 py-1.5" key={id}>
              <span>
                {product} <span className="font-mono text-text-muted text-xs">{id}</span>
              </span>
              <span className="font-mono text-text-muted text-xs">
                {ipAddress}&nbsp;<span aria-hidden>→</span>
                <span className="sr-only"> to </span> {target ?? "…"}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </ConfirmChange>
  );
}
