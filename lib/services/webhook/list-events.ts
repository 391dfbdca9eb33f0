import { type EventPlace, type EventRow, listEventRows } from "#lib/db/webhook/log.ts";
import type { EventKind } from "#lib/domain/events.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";

export type { EventPlace, EventRow } from "#lib/db/webhook/log.ts";

export interface ListEventsInput extends PageInput<EventPlace> {
  readonly kind?: EventKind | undefined;
  readonly licenseId?: number | undefined;
}

/** The reseller's events of the last 30 days, newest first, delivered or not. */
export async function listEvents(ctx: ServiceContext, input: ListEventsInput): Promise<Page<EventRow, EventPlace>> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const { kind = null, licenseId = null } = input;
  const reads = await ctx.db.reads();
  const list = (page: Required<PageInput<EventPlace>>) =>
    listEventRows(reads, resellerId, { kind, licenseId, ...page });
  return readPage(input, { list, count: null }, ({ occurredAt, sequence }) => ({ occurredAt, sequence }));
}
