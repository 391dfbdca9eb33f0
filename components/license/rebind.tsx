"use client";
import type { changeAddress } from "#app/(dashboard)/licenses/[id]/change-actions.ts";
import { ConfirmButton } from "#components/form/confirm-button.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import { unconfirmed } from "./license-changes.ts";

export interface RebindProps {
  /** `lic_12`. */
  readonly id: string;
  readonly product: string;
  readonly boundIp: string;
  readonly seenIp: string;
  /** Binds the license to this address. */
  readonly action: Bound<typeof changeAddress>;
}

/** Binds a license to the address that it was seen on, after asking. */
export function Rebind({ id, product, boundIp, seenIp, action }: RebindProps) {
  return (
    <ConfirmButton
      action={action}
      confirmLabel={`Bind to ${seenIp}`}
      cost={[
        { label: "Bound to now", value: <span className="font-mono">{boundIp}</span> },
        { label: "Bound to afterwards", value: <span className="font-mono">{seenIp}</span> },
        { label: "Cost", value: "Free" },
      ]}
      description={`${product} (${id}) will verify only at ${seenIp} and stop at ${boundIp} at once. Do this only if that server is yours.`}
      done={(changed) => (changed.pending ? unconfirmed : { title: `Bound to ${seenIp}`, tone: "positive" })}
      input={{ new_ip: seenIp, meant_address: seenIp }}
      stored={{ "Bound to": boundIp }}
      title="Rebind the license?"
      label="Rebind"
      button={{ "aria-label": `Rebind to ${seenIp}`, size: "sm" }}
    />
  );
}
