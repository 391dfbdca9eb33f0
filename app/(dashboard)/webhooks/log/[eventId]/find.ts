import { notFound } from "next/navigation";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { isUnderWay } from "#components/webhook/describe-endpoint.ts";
import { parseEventId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type EventDelivery, type EventDetails, getWebhookEvent } from "#lib/services/webhook/get-event.ts";

/** One that was to be delivered somewhere. `id`: as in the address, `evt_…`. */
export async function findEvent(ctx: ServiceContext, id: string): Promise<EventDetails> {
  const event = await orNotFound(getWebhookEvent(ctx, { eventId: parseEventId(id) ?? notFound() }));
  return event.deliveries.length === 0 ? notFound() : event;
}

const SOON_MS = 60_000;
const EVERY_MS = 2_000;
const SELDOM_MS = 15_000;

/** Often while an attempt is made or due, seldom while the next one is far off, never once it is over. */
export function refreshEveryMs(delivery: EventDelivery, now: Date): number | null {
  if (delivery.state !== "pending") return null;
  const dueInMs = (delivery.nextAttemptAt?.getTime() ?? 0) - now.getTime();
  return isUnderWay(delivery) || dueInMs < SOON_MS ? EVERY_MS : SELDOM_MS;
}
