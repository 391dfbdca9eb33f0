"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { SubmissionError } from "#components/form/submission-error.tsx";
import { useSubmission } from "#components/form/use-submission.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Select } from "#components/ui/select.tsx";
import { fromLocalInput, spanMs, spanNames, spans } from "#components/ui/time-span.ts";
import { toast } from "#components/ui/toast-store.ts";
import type { OnceAction } from "#lib/domain/action-result.ts";
import { endpointName } from "./endpoint-name.ts";
import type { NotDelivered, NotDeliveredInput } from "./webhook.ts";

export interface ResendMissedActions {
  /** How many there are; changes nothing. */
  readonly countMissed: OnceAction<NotDeliveredInput, NotDelivered>;
  readonly resendMissed: OnceAction<NotDeliveredInput, NotDelivered>;
}

export interface ResendMissedDialogProps {
  /** At least one; the first is chosen. */
  readonly endpoints: readonly { readonly endpointId: number; readonly url: string; readonly description: string }[];
  readonly actions: ResendMissedActions;
  readonly onClose: () => void;
}

const OWN_TIME = "own";

/** Says how many there are before anything is sent. */
export function ResendMissedDialog({ endpoints, actions, onClose }: ResendMissedDialogProps) {
  const [endpointId, setEndpointId] = useState(endpoints[0]?.endpointId ?? 0);
  const [span, setSpan] = useState<string>("24h");
  // Chosen once, so that what is counted is what is sent.
  const [since, setSince] = useState<string | null>(() => before(spanMs["24h"]));
  const input = { endpoint_id: endpointId, since: since ?? "" };
  const counted = useQuery({
    queryKey: ["webhook-missed", endpointId, since],
    queryFn: () => sendSignedIn(actions.countMissed, input),
    enabled: since !== null,
    gcTime: 0,
  });
  const count = counted.data?.ok ? counted.data.value.count : null;
  const { pending, failure, send } = useSubmission(actions.resendMissed, (resent) => {
    onClose();
    toast({ title: `${deliveries(resent.count)} on the way again`, tone: "positive" });
  });

  function choose(value: string) {
    setSpan(value);
    const preset = spans.find((name) => name === value);
    setSince(preset ? before(spanMs[preset]) : null);
  }

  return (
    <Dialog
      description="Failed and discarded deliveries are sent again, oldest first, each with its original webhook-id. Deliveries that are still being retried are left alone; so is what a disabled or paused endpoint missed, until it is resumed."
      dismissible={!pending}
      footer={
        <>
          <Button disabled={pending} onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!count} loading={pending} onClick={() => void send(input)} variant="primary">
            {count ? `Resend ${deliveries(count)}` : "Resend"}
          </Button>
        </>
      }
      onClose={onClose}
      open
      title="Resend failed deliveries"
    >
      <div className="flex flex-col gap-4">
        {endpoints.length === 1 ? (
          endpoints.map((endpoint) => (
            <p className="wrap-anywhere text-sm text-text-muted" key={endpoint.endpointId} title={endpoint.url}>
              To {endpointName(endpoint)}
            </p>
          ))
        ) : (
          <Field label="Endpoint" name="endpoint_id">
            {(control) => (
              <Select
                {...control}
                onChange={({ target }) => setEndpointId(Number(target.value))}
                options={endpoints.map((endpoint) => ({
                  value: String(endpoint.endpointId),
                  label: endpointName(endpoint),
                }))}
                value={String(endpointId)}
              />
            )}
          </Field>
        )}
        <Field label="Since" name="since">
          {(control) => (
            <Select
              {...control}
              onChange={({ target }) => choose(target.value)}
              options={[
                ...spans.map((value) => ({ value, label: spanNames[value] })),
                { value: OWN_TIME, label: "A time of your choice" },
              ]}
              value={span}
            />
          )}
        </Field>
        {span === OWN_TIME && (
          <Field hint="In your time zone." label="Date and time" name="since_time">
            {(control) => (
              <Input
                {...control}
                data-autofocus
                onChange={({ target }) => setSince(fromLocalInput(target.value))}
                type="datetime-local"
              />
            )}
          </Field>
        )}
        <p className="rounded-md bg-surface-sunken px-3 py-2 text-sm" role="status">
          {since === null
            ? "Choose a time."
            : count === null
              ? counted.isFetching
                ? "Counting…"
                : "The deliveries could not be counted. Close this and try again."
              : count === 0
                ? "No delivery to this endpoint has failed since then."
                : `${deliveries(count)} failed since then.`}
        </p>
        {failure && <SubmissionError failure={failure} refusalNote="Nothing was sent." />}
      </div>
    </Dialog>
  );
}

function before(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

function deliveries(count: number): string {
  return count === 1 ? "1 delivery" : `${count.toLocaleString("en-US")} deliveries`;
}
