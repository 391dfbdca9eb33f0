import { notFound } from "next/navigation";
import type { DeliveryDetails } from "#components/webhook/webhook.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import { parseEventId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type EventDetails, getWebhookEvent } from "#lib/services/webhook/get-event.ts";

/** Another reseller's is not found, as if there were none (decisions 1.12). `id`: as in the address, `evt_…`. */
export async function findEvent(ctx: ServiceContext, id: string): Promise<EventDetails> {
  const eventId = parseEventId(id);
  if (eventId === null) notFound();
  try {
    return await getWebhookEvent(ctx, { eventId });
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  }
}

const SOON_MS = 60_000;
const EVERY_MS = 2_000;
const SELDOM_MS = 15_000;

/** Often while an attempt is made or due, seldom while the next one is far off, never once it is over. */
export function refreshEveryMs({ outcome, underWay, nextAttemptAt }: DeliveryDetails, now: Date): number | null {
  if (outcome !== "waiting" && outcome !== "retrying") return null;
  const dueInMs = nextAttemptAt === null ? 0 : new Date(nextAttemptAt).getTime() - now.getTime();
  return underWay || dueInMs < SOON_MS ? EVERY_MS : SELDOM_MS;
}
