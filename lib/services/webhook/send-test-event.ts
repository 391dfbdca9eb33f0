import { randomUUID } from "node:crypto";
import { insertTestEvent } from "#lib/db/webhook/test-event.ts";
import { malformed } from "#lib/domain/errors.ts";
import { type EventKind, parseEventKinds } from "#lib/domain/events.ts";
import type { EventId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireActiveEndpoint } from "./endpoint.ts";
import { sampleData } from "./sample-data.ts";

const DEFAULT_KIND: EventKind = "license.activated";

/**
 * Sends an event of a real kind to one endpoint, whatever its subscription; `data` has `test: true`. Signed, logged and
 * retried like any other.
 * @throws DomainError `parameters_invalid`, `not_found`, `conflict` (paused or disabled).
 */
export async function sendTestEvent(
  ctx: ServiceContext,
  input: { readonly endpointId: number; readonly kind?: string | undefined },
): Promise<{ readonly eventId: EventId; readonly kind: EventKind }> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const [kind] = input.kind === undefined ? [DEFAULT_KIND] : (parseEventKinds([input.kind]) ?? []);
  if (!kind) throw malformed("event", "must be a kind of event");
  await requireActiveEndpoint(ctx.db, resellerId, input.endpointId);
  const eventId = randomUUID() as EventId;
  const { endpointId } = input;
  await insertTestEvent(writesOf(ctx), {
    id: eventId,
    resellerId,
    endpointId,
    kind,
    data: { ...sampleData(ctx.now())[kind], test: true },
    occurredAt: ctx.now(),
  });
  return { eventId, kind };
}
