import { type EventId, formatEventId, formatWebhookEndpointId, type WebhookEndpointId } from "#lib/domain/ids.ts";
import type { Delivery, Endpoint, EndpointDetails, EndpointState } from "./webhook.ts";

export function endpointHref(endpointId: number): string {
  return `/webhooks/whe_${endpointId}`;
}

/** An event as one endpoint receives it. */
export function eventHref(delivery: { readonly eventId: EventId; readonly endpointId: number }): string {
  return `/webhooks/log/${formatEventId(delivery.eventId)}?endpoint=whe_${delivery.endpointId}`;
}

export function endpointState(endpoint: Pick<Endpoint, "status" | "firstFailedAt" | "challengeError">): EndpointState {
  const { status, firstFailedAt, challengeError } = endpoint;
  if (status === "active" && firstFailedAt !== null) return "failing";
  if (status === "pending" && challengeError !== null) return "unverified";
  return status;
}

export function describeEndpoint(endpoint: Endpoint & { readonly id: WebhookEndpointId }, now: Date): EndpointDetails {
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
export function isUnderWay({ state, attempts }: Delivery): boolean {
  const last = attempts.at(-1);
  return state === "pending" && last !== undefined && last.succeeded === null && last.error === null;
}
