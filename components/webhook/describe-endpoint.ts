import { type EventId, formatEventId, formatWebhookEndpointId } from "#lib/domain/ids.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import type { EventDelivery } from "#lib/services/webhook/get-event.ts";
import type { EndpointDetails, EndpointState } from "./webhook.ts";

export function endpointHref(endpointId: number): string {
  return `/webhooks/whe_${endpointId}`;
}

/** An event as one endpoint receives it. */
export function eventHref(delivery: { readonly eventId: EventId; readonly endpointId: number }): string {
  return `/webhooks/log/${formatEventId(delivery.eventId)}?endpoint=whe_${delivery.endpointId}`;
}

export function endpointState(
  endpoint: Pick<WebhookEndpointView, "status" | "firstFailedAt" | "challengeError">,
): EndpointState {
  const { status, firstFailedAt, challengeError } = endpoint;
  if (status === "active" && firstFailedAt !== null) return "failing";
  if (status === "pending" && challengeError !== null) return "unverified";
  return status;
}

export function describeEndpoint(endpoint: WebhookEndpointView, now: Date): EndpointDetails {
  const { id, previousSecretUntil } = endpoint;
  return {
    ...endpoint,
    endpointId: id,
    id: formatWebhookEndpointId(id),
    href: endpointHref(id),
    state: endpointState(endpoint),
    previousSecretUntil: previousSecretUntil !== null && previousSecretUntil > now ? previousSecretUntil : null,
  };
}

/** An attempt is being made now. */
export function isUnderWay({ state, attempts }: EventDelivery): boolean {
  const last = attempts.at(-1);
  return state === "pending" && last !== undefined && last.succeeded === null && last.error === null;
}
