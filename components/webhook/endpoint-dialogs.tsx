"use client";
import { useRouter } from "next/navigation";
import { ConfirmChange, ConfirmForm } from "#components/form/confirm-form.tsx";
import { useForm } from "#components/form/use-form.ts";
import { SelectField } from "#components/ui/field.tsx";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { eventKinds } from "#lib/domain/events.ts";
import type { EndpointDetails, EndpointRef, Sent, TestEventInput } from "./webhook.ts";

interface DialogProps<Input, Value = unknown> {
  readonly endpoint: EndpointDetails;
  readonly action: OnceAction<Input, Value>;
  readonly onClose: () => void;
}

export function PauseDialog({ endpoint, action, onClose }: DialogProps<EndpointRef>) {
  return (
    <ConfirmChange
      action={action}
      confirmLabel="Pause"
      description="Nothing is sent there until you resume it. Waiting events are delivered then; events that happen in the meantime are not queued."
      done="Endpoint paused"
      input={{ endpoint_id: endpoint.endpointId }}
      onClose={onClose}
      title="Pause this endpoint?"
    />
  );
}

export function ResumeDialog({ endpoint, action, onClose }: DialogProps<EndpointRef>) {
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
      input={{ endpoint_id: endpoint.endpointId }}
      onClose={onClose}
      title={disabled ? "Enable this endpoint?" : "Resume this endpoint?"}
    />
  );
}

export function DeleteDialog({ endpoint, action, onClose }: DialogProps<EndpointRef>) {
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
export function TestEventDialog({ endpoint, action, onClose }: DialogProps<TestEventInput, Sent>) {
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
