"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Repeat } from "lucide-react";
import { useState } from "react";
import type { countMissed, resendMissed } from "#app/(dashboard)/webhooks/actions.ts";
import { ConfirmChange } from "#components/form/confirm-form.tsx";
import { sendSignedIn } from "#components/form/send-signed-in.ts";
import { DialogButton } from "#components/ui/dialog-button.tsx";
import { SelectField, TextField } from "#components/ui/field.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { fromLocalInput, spanMs, spanNames, spans } from "#components/ui/time-span.ts";
import { useTimeZone } from "#components/ui/time-zone.tsx";
import { countText, numberText } from "#lib/domain/count-text.ts";
import { endpointName, type NamedEndpoint } from "./endpoint-name.ts";
import type { EndpointDetails } from "./webhook.ts";

interface ResendMissedProps {
  readonly endpoints: readonly EndpointDetails[];
  /** The one that the log is filtered by, which is then offered first. */
  readonly chosenId: string | null;
  readonly actions: ResendMissedActions;
}

export function ResendMissed({ endpoints, chosenId, actions }: ResendMissedProps) {
  const running = endpoints.filter(({ state }) => state === "active" || state === "failing");
  if (running.length === 0) return null;
  return (
    <DialogButton icon={<Repeat />} label="Resend failed deliveries">
      {(onClose) => (
        <ResendMissedDialog
          actions={actions}
          endpoints={running.toSorted((one, other) => Number(other.id === chosenId) - Number(one.id === chosenId))}
          onClose={onClose}
          stopped={endpoints.filter(({ state }) => state === "disabled" || state === "paused")}
        />
      )}
    </DialogButton>
  );
}

export interface ResendMissedActions {
  /** How many there are; changes nothing. */
  readonly countMissed: typeof countMissed;
  readonly resendMissed: typeof resendMissed;
}

type ResendEndpoint = NamedEndpoint & Pick<EndpointDetails, "endpointId">;
type StoppedEndpoint = ResendEndpoint & Pick<EndpointDetails, "href" | "state">;

interface ResendMissedDialogProps {
  /** At least one; the first is chosen. */
  readonly endpoints: readonly ResendEndpoint[];
  /** Disabled and paused ones, to which nothing can be sent until they are resumed. */
  readonly stopped?: readonly StoppedEndpoint[];
  readonly actions: ResendMissedActions;
  readonly onClose: () => void;
}

const OWN_TIME = "own";

/** Says how many there are before anything is sent. */
export function ResendMissedDialog({ endpoints, stopped = [], actions, onClose }: ResendMissedDialogProps) {
  const zone = useTimeZone();
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
  const stoppedCounts = useQueries({
    queries: stopped.map(({ endpointId }) => ({
      queryKey: ["webhook-missed", endpointId, since],
      queryFn: () => sendSignedIn(actions.countMissed, { ...input, endpoint_id: endpointId }),
      enabled: since !== null,
      gcTime: 0,
    })),
  });
  const count = counted.data?.ok ? counted.data.value.count : null;

  function choose(value: string) {
    setSpan(value);
    const preset = spans.find((name) => name === value);
    setSince(preset ? before(spanMs[preset]) : null);
  }

  return (
    <ConfirmChange
      action={actions.resendMissed}
      confirmDisabled={!count}
      confirmLabel={count ? `Resend ${deliveries(count)}` : "Resend"}
      description="Failed and discarded deliveries are sent again, oldest first, each with its original webhook-id. Pending deliveries are not affected."
      done={(resent) => ({ title: `${deliveries(resent.count)} on the way again`, tone: "positive" })}
      input={input}
      onClose={onClose}
      refusalNote="Nothing was sent."
      size="md"
      title="Resend failed deliveries"
    >
      <SelectField
        label="Endpoint"
        name="endpoint_id"
        onChange={({ target }) => setEndpointId(Number(target.value))}
        options={endpoints.map((endpoint) => ({ value: String(endpoint.endpointId), label: endpointName(endpoint) }))}
        value={String(endpointId)}
      />
      <SelectField
        label="Since"
        name="since"
        onChange={({ target }) => choose(target.value)}
        options={[
          ...spans.map((value) => ({ value, label: spanNames[value] })),
          { value: OWN_TIME, label: "A time of your choice" },
        ]}
        value={span}
      />
      {span === OWN_TIME && (
        <TextField
          data-autofocus
          hint="In your time zone."
          label="Date and time"
          name="_since_time"
          onChange={({ target }) => setSince(fromLocalInput(target.value, zone))}
          type="datetime-local"
        />
      )}
      <p className="rounded-md bg-surface-sunken px-3 py-2 text-sm" role="status">
        {since === null
          ? "Choose a time."
          : count === null
            ? counted.isFetching
              ? "Counting…"
              : "The deliveries could not be counted. Close this and try again."
            : count === 0
              ? "Nothing to resend: no delivery to this endpoint has failed since then."
              : `${deliveries(count)} failed since then.`}
      </p>
      {stopped.map((endpoint, index) => {
        const missed = stoppedCounts[index]?.data;
        return missed?.ok && missed.value.count > 0 ? (
          <p className="text-sm text-text-muted" key={endpoint.endpointId}>
            {endpointName(endpoint)} is {endpoint.state}, so its {failedDeliveries(missed.value.count)} cannot be
            resent.{" "}
            <TextLink className="whitespace-nowrap" href={endpoint.href}>
              {endpoint.state === "disabled" ? "Enable it" : "Resume it"} first
            </TextLink>
          </p>
        ) : null;
      })}
    </ConfirmChange>
  );
}

function before(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

function failedDeliveries(count: number): string {
  return count === 1 ? "failed delivery" : `${numberText(count)} failed deliveries`;
}

function deliveries(count: number): string {
  return countText(count, "delivery", "deliveries");
}
