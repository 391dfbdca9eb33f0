"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { eventKinds } from "#lib/domain/events.ts";
import type { EndpointDetails, EndpointRef, Sent, TestEventInput } from "./webhook.ts";

interface DialogProps<Input, Value = unknown> {
  readonly endpoint: EndpointDetails;
  readonly action: OnceAction<Input, Value>;
  readonly onClose: () => void;
}

const UNCHANGED = "Nothing was changed.";

export function PauseDialog({ endpoint, action, onClose }: DialogProps<EndpointRef>) {
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: "Endpoint paused", tone: "positive" });
  });
  return (
    <ConfirmDialog
      confirmLabel="Pause"
      description="Nothing is sent there until you resume it. What is waiting now is delivered then; events that happen in the meantime are not queued."
      onClose={onClose}
      onConfirm={() => void send({ endpoint_id: endpoint.endpointId })}
      open
      pending={pending}
      title="Pause this endpoint?"
    >
      {failure && <SubmissionError failure={failure} refusalNote={UNCHANGED} />}
    </ConfirmDialog>
  );
}

export function ResumeDialog({ endpoint, action, onClose }: DialogProps<EndpointRef>) {
  const disabled = endpoint.state === "disabled";
  const { pending, failure, send } = useSubmission(action, () => {
    onClose();
    toast({ title: disabled ? "Endpoint enabled" : "Endpoint resumed", tone: "positive" });
  });
  return (
    <ConfirmDialog
      confirmLabel={disabled ? "Enable" : "Resume"}
      description={
        disabled
          ? "It receives events again from now on. What it missed is not sent automatically: use “Resend failed deliveries” in the log afterwards."
          : "What was waiting when it was paused is sent now, followed by new events."
      }
      onClose={onClose}
      onConfirm={() => void send({ endpoint_id: endpoint.endpointId })}
      open
      pending={pending}
      title={disabled ? "Enable this endpoint?" : "Resume this endpoint?"}
    >
      {failure && <SubmissionError failure={failure} refusalNote={UNCHANGED} />}
    </ConfirmDialog>
  );
}

export function DeleteDialog({ endpoint, action, onClose }: DialogProps<EndpointRef>) {
  const router = useRouter();
  const { pending, failure, send } = useSubmission(action, () => {
    toast({ title: "Endpoint deleted", tone: "positive" });
    router.replace("/webhooks");
    return true;
  });
  return (
    <ConfirmDialog
      confirmLabel="Delete"
      description="Nothing more is sent there, and its part of the log is deleted. The events themselves stay. Deleting cannot be undone; pausing can."
      onClose={onClose}
      onConfirm={() => void send({ endpoint_id: endpoint.endpointId })}
      open
      pending={pending}
      title="Delete this endpoint?"
      tone="critical"
    >
      <p className="wrap-anywhere rounded-md bg-surface-sunken px-3 py-2 font-mono text-xs">{endpoint.url}</p>
      {failure && <SubmissionError failure={failure} refusalNote="Nothing was deleted." />}
    </ConfirmDialog>
  );
}

/** Sends one, and goes to where it can be watched. */
export function TestEventDialog({ endpoint, action, onClose }: DialogProps<TestEventInput, Sent>) {
  const router = useRouter();
  const [kind, setKind] = useState<string>(endpoint.kinds[0] ?? eventKinds[0]);
  const { pending, failure, send } = useSubmission(action, ({ href }) => {
    router.push(href);
    return true;
  });
  return (
    <ConfirmDialog
      confirmLabel="Send"
      description="It goes to this endpoint only, signed and logged like any other. Its data includes “test”: true, so your system can tell."
      onClose={onClose}
      onConfirm={() => void send({ endpoint_id: endpoint.endpointId, event: kind })}
      open
      pending={pending}
      title="Send a test event"
    >
      <Field label="Kind" name="event">
        {(control) => (
          <Select
            {...control}
            onChange={({ target }) => setKind(target.value)}
            options={eventKinds.map((value) => ({ value, label: value }))}
            value={kind}
          />
        )}
      </Field>
      {failure && <SubmissionError failure={failure} refusalNote="Nothing was sent." />}
    </ConfirmDialog>
  );
}
