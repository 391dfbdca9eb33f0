import { type EventPlace, type EventRow, listEventRows } from "#lib/db/webhook/log.ts";
import type { EventKind } from "#lib/domain/events.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { EventPlace, EventRow } from "#lib/db/webhook/log.ts";

export interface ListEventsInput {
  readonly kind?: EventKind | undefined;
  readonly licenseId?: number | undefined;
  /** The previous page's `nextBefore`; null for the first page. */
  readonly before: EventPlace | null;
  readonly limit: number;
}

/** The reseller's events of the last 30 days, newest first, delivered or not. */
export async function listEvents(
  ctx: ServiceContext,
  input: ListEventsInput,
): Promise<{ readonly events: readonly EventRow[]; readonly nextBefore: EventPlace | null }> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const { kind = null, licenseId = null, before, limit } = input;
  const found = await listEventRows(await ctx.db.reads(), resellerId, { kind, licenseId, before, limit: limit + 1 });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return {
    events,
    nextBefore: found.length > limit && last ? { occurredAt: last.occurredAt, id: last.id } : null,
  };
}
