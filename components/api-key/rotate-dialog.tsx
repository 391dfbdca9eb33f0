"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { OnceAction } from "#components/form/action-result.ts";
import { AskToRotate, ShownOnce } from "#components/form/rotation-dialogs.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { KeyDetails, KeyRotated, RotateInput } from "./api-key.ts";
import { KeyReveal } from "./key-reveal.tsx";

const graces = [
  { value: "0", label: "Ends at once" },
  { value: "1", label: "Works for another hour" },
  { value: "24", label: "Works for another 24 hours" },
  { value: "168", label: "Works for another 7 days" },
] as const;

export interface RotateDialogProps {
  readonly keyDetails: KeyDetails;
  readonly action: OnceAction<RotateInput, KeyRotated>;
  readonly onClose: () => void;
}

/** Asks how long the old key goes on, rotates, and shows the new one once: only its own button then closes it. */
export function RotateDialog({ keyDetails, action, onClose }: RotateDialogProps) {
  const [grace, setGrace] = useState<string>("24");
  const [rotated, setRotated] = useState<KeyRotated | null>(null);
  const { pending, failure, send } = useSubmission(action, setRotated);
  if (rotated !== null) return <Rotated onClose={onClose} rotated={rotated} />;
  return (
    <AskToRotate
      description="A new key takes over name, scopes, addresses, limit and expiry. Meanwhile both work, so that nothing stops while you change over."
      failure={failure}
      onClose={onClose}
      onRotate={() => void send({ api_key_id: keyDetails.apiKeyId, grace_hours: Number(grace) })}
      pending={pending}
      refusalNote="The key works as before."
      title={`Rotate “${keyDetails.name}”?`}
    >
      <Field
        hint={keyDetails.signing === "none" ? undefined : "The new key gets a signing secret of its own."}
        label="The present key"
        name="grace_hours"
      >
        {(control) => (
          <Select {...control} onChange={({ target }) => setGrace(target.value)} options={graces} value={grace} />
        )}
      </Field>
    </AskToRotate>
  );
}

function Rotated({ rotated, onClose }: { readonly rotated: KeyRotated; readonly onClose: () => void }) {
  const router = useRouter();
  function leave() {
    onClose();
    router.push(rotated.href);
  }
  return (
    <ShownOnce
      leaveLabel={rotated.apiKey === null ? "Go to the new key" : "I have stored it"}
      onLeave={leave}
      size="lg"
      title="The key is rotated"
    >
      <KeyReveal {...rotated} />
      <p className="text-sm text-text-muted">
        The key before it works until <Timestamp value={rotated.oldExpiresAt} />.
      </p>
    </ShownOnce>
  );
}
