import { requeueNotDelivered } from "#lib/db/webhook/deliveries-in-batches.ts";
import { countNotDelivered, requeueDelivery, requeueEvent, wakeWebhookDelivery } from "#lib/db/webhook/delivery.ts";
import { findWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { findEventRow } from "#lib/db/webhook/log.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { CHALLENGE_KIND, type WebhookKind } from "#lib/domain/events.ts";
import type { EventId, WebhookEndpointId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireActiveEndpoint, requireDelivery, requireFound } from "./endpoint.ts";

/**
 * Sends one delivery again immediately, with the same `webhook-id` and a restarted schedule.
 * @throws DomainError `not_found`, `conflict` (the endpoint is not active, or it is a challenge).
 */
export async function resendDelivery(ctx: ServiceContext, input: { readonly deliveryId: string }): Promise<void> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const delivery = await requireDelivery(ctx.db, resellerId, input.deliveryId);
  requireNoChallenge(delivery);
  await requireActiveEndpoint(ctx.db, resellerId, delivery.endpointId);
  await requeueDelivery(writesOf(ctx), resellerId, BigInt(delivery.id), changedBy(ctx));
  await wakeWebhookDelivery(writesOf(ctx));
}

/**
 * Sends an event to one endpoint, or to every active one subscribed to its kind, even if older than the endpoint.
 * Returns the endpoints.
 * @throws DomainError `not_found` (event or endpoint), `conflict` (as above).
 */
export async function resendEvent(
  ctx: ServiceContext,
  input: { readonly eventId: EventId; readonly endpointId?: number | undefined },
): Promise<{ readonly endpointIds: readonly WebhookEndpointId[] }> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { eventId, endpointId = null } = input;
  const event = await findEventRow(ctx.db, resellerId, eventId);
  if (!event) throw new DomainError("not_found", "There is no such event.");
  requireNoChallenge(event);
  if (endpointId !== null) await requireActiveEndpoint(ctx.db, resellerId, endpointId);
  const endpointIds = await requeueEvent(writesOf(ctx), resellerId, { eventId, endpointId }, changedBy(ctx));
  await wakeWebhookDelivery(writesOf(ctx));
  return { endpointIds };
}

/** An old challenge proves nothing. */
function requireNoChallenge({ kind }: { readonly kind: WebhookKind }): void {
  if (kind !== CHALLENGE_KIND) return;
  throw new DomainError("conflict", "A challenge is not resent. Verify the endpoint again instead.");
}

export interface NotDeliveredInput {
  readonly endpointId: number;
  /** Of the event, inclusive. */
  readonly since: Date;
}

/** How many `resendNotDelivered` would send. @throws DomainError `not_found`. */
export async function countWebhooksNotDelivered(ctx: ServiceContext, input: NotDeliveredInput): Promise<number> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  requireFound(await findWebhookEndpoint(ctx.db, resellerId, input.endpointId));
  return countNotDelivered(ctx.db, resellerId, input.endpointId, input.since);
}

/**
 * Sends an endpoint's failed and discarded deliveries since a time again, oldest first.
 * @throws DomainError `not_found`, `conflict` (paused or disabled).
 */
export async function resendNotDelivered(
  ctx: ServiceContext,
  input: NotDeliveredInput,
): Promise<{ readonly resent: number }> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  await requireActiveEndpoint(ctx.db, resellerId, input.endpointId);
  const { since } = input;
  const resent = await requeueNotDelivered(ctx.db, resellerId, input.endpointId, since, changedBy(ctx));
  await wakeWebhookDelivery(writesOf(ctx));
  return { resent };
}
