import {
  type AttemptRow,
  type DeliveryRow,
  type EventRow,
  findEventRow,
  listAttemptsOfDeliveries,
  listDeliveriesOfEvent,
} from "#lib/db/webhook/log.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { EventId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { showChatText } from "./message.ts";

export type { AttemptRow } from "#lib/db/webhook/log.ts";

/** With its attempts, oldest first. */
export interface EventDelivery extends DeliveryRow {
  readonly attempts: readonly AttemptRow[];
  /** What a chat gets, without the code of a challenge; null: the endpoint gets JSON. */
  readonly text: string | null;
}

export interface EventDetails {
  readonly event: EventRow;
  /** One per endpoint. */
  readonly deliveries: readonly EventDelivery[];
}

/** @throws DomainError `not_found`. */
export async function getWebhookEvent(
  ctx: ServiceContext,
  input: { readonly eventId: EventId },
): Promise<EventDetails> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const event = await findEventRow(ctx.db, resellerId, input.eventId);
  if (!event) throw new DomainError("not_found", "There is no such event.");
  const { data, productName } = event;
  const deliveries = await listDeliveriesOfEvent(ctx.db, resellerId, event.id);
  const ids = deliveries.map(({ id }) => id);
  const attempts = Map.groupBy(await listAttemptsOfDeliveries(ctx.db, resellerId, ids), ({ deliveryId }) => deliveryId);
  return {
    event,
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      attempts: attempts.get(delivery.id) ?? [],
      text: showChatText(ctx.settings, { ...delivery, format: delivery.endpointFormat, data, productName }),
    })),
  };
}
