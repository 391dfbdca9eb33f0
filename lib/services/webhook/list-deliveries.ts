import { countDeliveryRows, type DeliveryFilter, type DeliveryRow, listDeliveryRows } from "#lib/db/webhook/log.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";

export type { DeliveryFilter, DeliveryRow, WebhookDeliveryState } from "#lib/db/webhook/log.ts";

export interface DeliveryPage extends Omit<Page<never, string>, "rows"> {
  readonly deliveries: readonly DeliveryRow[];
}

/** The webhook log, newest first. `before`: the previous page's `nextBefore`. */
export async function listWebhookDeliveries(
  ctx: ServiceContext,
  input: PageInput<string> & { readonly filter: DeliveryFilter },
): Promise<DeliveryPage> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const { filter } = input;
  const reads = await ctx.db.reads();
  const { rows, ...page } = await readPage<DeliveryRow, string>(input, {
    list: (limit) => listDeliveryRows(reads, resellerId, { ...input, limit }),
    count: hasIndex(filter) ? () => countDeliveryRows(reads, resellerId, filter) : null,
    placeOf: ({ id }) => id,
  });
  return { deliveries: rows, ...page };
}

/** Outcomes and facts of the event are compared delivery by delivery. */
function hasIndex({ kind, state, licenseId, from, until }: DeliveryFilter): boolean {
  return [kind, state, licenseId, from, until].every((value) => value === undefined);
}
