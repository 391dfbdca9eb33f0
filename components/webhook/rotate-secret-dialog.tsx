"use client";
import { useState } from "react";
import { ConfirmReveal } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { Banner } from "#components/ui/banner.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { SecretLost, SecretReveal } from "./secret-reveal.tsx";
import type { EndpointDetails, EndpointRef, SecretRotated } from "./webhook.ts";

export interface RotateSecretDialogProps {
  readonly endpoint: EndpointDetails;
  readonly action: OnceAction<EndpointRef, SecretRotated>;
  readonly onClose: () => void;
}

/** Explains, rotates, and shows the new secret once: only its own button then closes the dialog. */
export function RotateSecretDialog({ endpoint, action, onClose }: RotateSecretDialogProps) {
  // As it was when the dialog opened: the page behind already knows of the new rotation.
  const [overlapsUntil] = useState(endpoint.previousSecretUntil);
  return (
    <ConfirmReveal
      action={action}
      confirmLabel="Rotate"
      description="For 24 hours each message is signed with both the new and the current secret, so your system can switch without missing any. After that the current one no longer signs."
      input={{ endpoint_id: endpoint.endpointId }}
      onClose={onClose}
      refusalNote="The secret is the same as before."
      reveal={(rotated) => <Rotated onClose={onClose} rotated={rotated} />}
      size="md"
      title="Rotate the signing secret?"
    >
      {overlapsUntil && (
        <Banner title="The last rotation is still under way" tone="caution">
          The secret before the current one keeps signing until <Timestamp value={overlapsUntil} />. Rotating again ends
          it at once.
        </Banner>
      )}
    </ConfirmReveal>
  );
}

function Rotated({ rotated, onClose }: { readonly rotated: SecretRotated; readonly onClose: () => void }) {
  return (
    <ShownOnce
      leaveLabel={rotated.secret === null ? "Close" : "Done"}
      onLeave={onClose}
      size="lg"
      title="Secret rotated"
    >
      {rotated.secret === null ? (
        <SecretLost>
          Your current secret keeps signing until <Timestamp value={rotated.previousUntil} />. Rotating once more gives
          you a secret that you can see, and ends the current one at once.
        </SecretLost>
      ) : (
        <>
          <SecretReveal secret={rotated.secret} />
          <p className="text-sm text-text-muted">
            The previous secret keeps signing until <Timestamp value={rotated.previousUntil} />.
          </p>
        </>
      )}
    </ShownOnce>
  );
}
