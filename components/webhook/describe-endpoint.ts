import { type EventId, formatEventId, formatWebhookEndpointId, type WebhookEndpointId } from "#lib/domain/ids.ts";
import type { Delivery, Endpoint, EndpointDetails, EndpointState } from "./webhook.ts";

export function endpointHref(endpointId: number): string {
  return `/webhooks/whe_${endpointId}`;
}

/** An event as one endpoint receives it. */
export function eventHref(delivery: { readonly eventId: EventId; readonly endpointId: number }): string {
  return `/webhooks/log/${formatEventId(delivery.eventId)}?endpoint=whe_${delivery.endpointId}`;
}

export function endpointState({ status, firstFailedAt }: Pick<Endpoint, "status" | "firstFailedAt">): EndpointState {
  return status === "active" && firstFailedAt !== null ? "failing" : status;
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
