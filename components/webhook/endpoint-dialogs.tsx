"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import type { remove, rotate, sendTest, setPaused } from "#app/(dashboard)/webhooks/actions.ts";
import { ConfirmChange, ConfirmForm, ConfirmReveal } from "#components/form/confirm-form.tsx";
import { ShownOnce } from "#components/form/shown-once.tsx";
import { useForm } from "#components/form/use-form.ts";
import { Banner } from "#components/ui/banner.tsx";
import { SelectField } from "#components/ui/field.tsx";
import { Timestamp } from "#components/ui/timestamp.tsx";
import { toast } from "#components/ui/toast-store.ts";
import { eventKinds } from "#lib/domain/events.ts";
import { SecretLost, SecretReveal } from "./secret-reveal.tsx";
import type { EndpointDetails, SecretRotated } from "./webhook.ts";

interface DialogProps<Action> {
  readonly endpoint: EndpointDetails;
  readonly action: Action;
  readonly onClose: () => void;
}

export function PauseDialog({ endpoint, action, onClose }: DialogProps<typeof setPaused>) {
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Pause"
      description="Nothing is sent there until you resume it. Waiting events are delivered then; events that happen in the meantime are not queued."
      done="Endpoint paused"
      input={{ endpoint_id: endpoint.endpointId, paused: true }}
      onClose={onClose}
      title="Pause this endpoint?"
    />
  );
}

export function ResumeDialog({ endpoint, action, onClose }: DialogProps<typeof setPaused>) {
  const disabled = endpoint.state === "disabled";
  return (
    <ConfirmChange
      action={action}
      confirmLabel={disabled ? "Enable" : "Resume"}
      description={
        disabled
          ? "It receives events again from now on. Missed events are not sent automatically: use “Resend failed deliveries” in the log afterwards."
          : "Events that were waiting when it was paused are sent now, followed by new ones."
      }
      done={disabled ? "Endpoint enabled" : "Endpoint resumed"}
      input={{ endpoint_id: endpoint.endpointId, paused: false }}
      onClose={onClose}
      title={disabled ? "Enable this endpoint?" : "Resume this endpoint?"}
    />
  );
}

export function DeleteDialog({ endpoint, action, onClose }: DialogProps<typeof remove>) {
  const router = useRouter();
  const form = useForm(action, () => {
    toast({ title: "Endpoint deleted", tone: "positive" });
    router.replace("/webhooks");
    return true;
  });
  return (
    <ConfirmForm
      confirmLabel="Delete"
      description="Nothing more is sent there, and its part of the log is deleted. The events themselves stay. Deleting cannot be undone; pausing can."
      form={form}
      input={{ endpoint_id: endpoint.endpointId }}
      onClose={onClose}
      refusalNote="Nothing was deleted."
      title="Delete this endpoint?"
      tone="critical"
    >
      <p className="wrap-anywhere rounded-md bg-surface-sunken px-3 py-2 font-mono text-xs">{endpoint.url}</p>
    </ConfirmForm>
  );
}

/** Sends one, and goes to where it can be watched. */
export function TestEventDialog({ endpoint, action, onClose }: DialogProps<typeof sendTest>) {
  const router = useRouter();
  const form = useForm(action, ({ href }) => {
    router.push(href);
    return true;
  });
  return (
    <ConfirmForm
      confirmLabel="Send"
      description={
        endpoint.format === "standard" ? (
          <>
            It goes to this endpoint only, signed and logged like any other, with{" "}
            <code className="font-mono">{'"test": true'}</code> in its data.
          </>
        ) : (
          "It goes to this chat only, and says that it is a test."
        )
      }
      form={form}
      input={{ endpoint_id: endpoint.endpointId }}
      onClose={onClose}
      refusalNote="Nothing was sent."
      title="Send a test event"
    >
      <SelectField
        defaultValue={endpoint.kinds[0] ?? eventKinds[0]}
        label="Kind"
        name="event"
        options={eventKinds.map((value) => ({ value, label: value }))}
      />
    </ConfirmForm>
  );
}

/** Explains, rotates, and shows the new secret once: only its own button then closes the dialog. */
export function RotateSecretDialog({ endpoint, action, onClose }: DialogProps<typeof rotate>) {
  // The state when the dialog opened: the page behind already shows the new rotation.
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
