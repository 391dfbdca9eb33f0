"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { rotate } from "#app/(dashboard)/api-keys/actions.ts";
import { ConfirmReveal } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { SelectField } from "#components/ui/field.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { Bound } from "#lib/domain/action-result.ts";
import type { KeyDetails, KeyRotated } from "./api-key.ts";
import { KeyReveal } from "./key-reveal.tsx";

const graces = [
  { value: "0", label: "Expires immediately" },
  { value: "1", label: "Works for another hour" },
  { value: "24", label: "Works for another 24 hours" },
  { value: "168", label: "Works for another 7 days" },
] as const;

export interface RotateDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: Bound<typeof rotate>;
  readonly onClose: () => void;
}

/** Asks how long the old key goes on, rotates, and shows the new one once: only its own button then closes it. */
export function RotateDialog({ keyDetails, action, onClose }: RotateDialogProps) {
  const [grace, setGrace] = useState<string>("24");
  const endsAtOnce = grace === "0";
  return (
    <ConfirmReveal
      action={action}
      confirmLabel="Rotate"
      description={`A new key takes over the name, scopes, license, addresses, limits and expiry. ${
        endsAtOnce
          ? "This key is refused everywhere within a second: what still uses it stops working."
          : "Both keys work until this one ends, so nothing stops while you switch over."
      }`}
      input={{ api_key_id: keyDetails.apiKeyId, grace_hours: Number(grace) }}
      onClose={onClose}
      refusalNote="The key works as before."
      reveal={(rotated) => <Rotated endsAtOnce={endsAtOnce} onClose={onClose} rotated={rotated} />}
      size="md"
      title={`Rotate “${keyDetails.name}”?`}
      tone={endsAtOnce ? "critical" : "default"}
    >
      <SelectField
        hint={keyDetails.signing === "none" ? undefined : "The new key gets a signing secret of its own."}
        label="Current key"
        name="grace_hours"
        onChange={({ target }) => setGrace(target.value)}
        options={graces}
        value={grace}
      />
    </ConfirmReveal>
  );
}

interface RotatedProps {
  readonly rotated: KeyRotated;
  readonly endsAtOnce: boolean;
  readonly onClose: () => void;
}

function Rotated({ rotated, endsAtOnce, onClose }: RotatedProps) {
  const router = useRouter();
  function leave() {
    onClose();
    router.push(rotated.href);
  }
  return (
    <ShownOnce
      leaveLabel={rotated.apiKey === null ? "Go to the new key" : "Done"}
      onLeave={leave}
      size="lg"
      title="Key rotated"
    >
      <KeyReveal {...rotated} />
      <p className="text-sm text-text-muted">
        {endsAtOnce ? (
          "The old key no longer works."
        ) : (
          <>
            The old key works until <Timestamp value={rotated.oldExpiresAt} />.
          </>
        )}
      </p>
    </ShownOnce>
  );
}
