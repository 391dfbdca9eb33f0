import type { ChartBucket } from "#components/webhook/chart.ts";
import type {
  AttemptDetails,
  DeliveryDetails,
  DeliveryOutcome,
  EndpointDetails,
  EndpointListRow,
  EndpointState,
  EventDetails,
  LogRow,
} from "#components/webhook/webhook.ts";
import { type EventId, formatEventId, formatLicenseId, formatWebhookEndpointId } from "#lib/domain/ids.ts";
import { formatWebhookBody } from "#lib/domain/webhook-signature.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import type { AttemptRow, EventDetails as FoundEvent } from "#lib/services/webhook/get-event.ts";
import type { DeliveryRow } from "#lib/services/webhook/list-deliveries.ts";
import type { EndpointActivityRow, StatsBucketRow } from "#lib/services/webhook/stats.ts";

export function endpointHref(endpointId: number): string {
  return `/webhooks/whe_${endpointId}`;
}

/** An event as one endpoint is told it. */
export function eventHref(delivery: { readonly eventId: EventId; readonly endpointId: number }): string {
  return `/webhooks/log/${formatEventId(delivery.eventId)}?endpoint=whe_${delivery.endpointId}`;
}

function stateOf({ status, firstFailedAt }: WebhookEndpointView): EndpointState {
  return status === "active" && firstFailedAt !== null ? "failing" : status;
}

export function presentEndpointRow(
  endpoint: WebhookEndpointView,
  activity: EndpointActivityRow | undefined,
): EndpointListRow {
  const { succeeded = 0, failed = 0, lastAttemptAt = null } = activity ?? {};
  return {
    id: formatWebhookEndpointId(endpoint.id),
    href: endpointHref(endpoint.id),
    url: endpoint.url,
    description: endpoint.description,
    kinds: endpoint.kinds,
    state: stateOf(endpoint),
    rate: { succeeded, failed },
    lastAttempt:
      lastAttemptAt === null ? null : { at: lastAttemptAt.toISOString(), succeeded: endpoint.firstFailedAt === null },
  };
}

export function presentEndpoint(endpoint: WebhookEndpointView, now: Date): EndpointDetails {
  const { previousSecretUntil } = endpoint;
  return {
    endpointId: endpoint.id,
    id: formatWebhookEndpointId(endpoint.id),
    href: endpointHref(endpoint.id),
    url: endpoint.url,
    description: endpoint.description,
    kinds: endpoint.kinds,
    state: stateOf(endpoint),
    concurrency: endpoint.concurrency,
    ordered: endpoint.ordered,
    challengeError: endpoint.challengeError,
    pausedAt: isoOf(endpoint.pausedAt),
    disabledAt: isoOf(endpoint.disabledAt),
    disabledReason: endpoint.disabledReason,
    failingSince: isoOf(endpoint.firstFailedAt),
    previousSecretUntil: previousSecretUntil !== null && previousSecretUntil > now ? isoOf(previousSecretUntil) : null,
    createdAt: endpoint.createdAt.toISOString(),
  };
}

export function presentLogRow(row: DeliveryRow): LogRow {
  return {
    id: Number(row.id),
    href: eventHref(row),
    kind: row.kind,
    test: row.test,
    license: row.licenseId === null ? null : formatLicenseId(row.licenseId),
    endpoint: {
      id: formatWebhookEndpointId(row.endpointId),
      url: row.endpointUrl,
      description: row.endpointDescription,
    },
    outcome: outcomeOf(row),
    attempts: row.attemptCount,
    at: row.occurredAt.toISOString(),
    status: row.lastStatus,
    nextAttemptAt: isoOf(row.nextAttemptAt),
  };
}

export function presentEvent({ event }: FoundEvent): EventDetails {
  return {
    id: formatEventId(event.id),
    kind: event.kind,
    test: event.data.test === true,
    at: event.occurredAt.toISOString(),
    license:
      event.licenseId === null ? null : { id: formatLicenseId(event.licenseId), href: `/licenses/${event.licenseId}` },
    body: formatWebhookBody(event),
  };
}

/** `endpoints`: the reseller's, of which the delivery's is one. */
export function presentDelivery(
  delivery: FoundEvent["deliveries"][number],
  endpoints: readonly WebhookEndpointView[],
): DeliveryDetails {
  const endpoint = endpoints.find(({ id }) => id === delivery.endpointId);
  const last = delivery.attempts.at(-1);
  return {
    deliveryId: delivery.id,
    outcome: outcomeOf(delivery),
    nextAttemptAt: isoOf(delivery.nextAttemptAt),
    underWay: delivery.state === "pending" && last !== undefined && last.succeeded === null && last.error === null,
    endpoint: {
      id: formatWebhookEndpointId(delivery.endpointId),
      href: endpointHref(delivery.endpointId),
      url: delivery.endpointUrl,
      state: endpoint ? stateOf(endpoint) : "disabled",
    },
    attempts: delivery.attempts.map(presentAttempt),
  };
}

function presentAttempt({ deliveryId: _, startedAt, ...attempt }: AttemptRow): AttemptDetails {
  return { ...attempt, startedAt: startedAt.toISOString() };
}

export function presentBucket(bucket: StatsBucketRow, bucketMs: number): ChartBucket {
  const { from, ...figures } = bucket;
  return { ...figures, from: from.toISOString(), until: new Date(from.getTime() + bucketMs).toISOString() };
}

function outcomeOf({ state, attemptCount }: Pick<DeliveryRow, "state" | "attemptCount">): DeliveryOutcome {
  if (state !== "pending") return state;
  return attemptCount > 0 ? "retrying" : "waiting";
}

function isoOf(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}
