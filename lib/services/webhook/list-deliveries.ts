import { type DeliveryFilter, type DeliveryRow, deliveryListing } from "#lib/db/webhook/log.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";

export type { DeliveryFilter, DeliveryRow, WebhookDeliveryState } from "#lib/db/webhook/log.ts";

/** The webhook log, newest first. `before`: the previous page's `next`. */
export async function listWebhookDeliveries(
  ctx: ServiceContext,
  input: PageInput<string> & { readonly filter: DeliveryFilter },
): Promise<Page<DeliveryRow, string>> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const { filter } = input;
  const { list, count } = deliveryListing(await ctx.db.reads(), resellerId, filter);
  return readPage(input, { list, count: hasIndex(filter) ? count : null }, ({ id }) => id);
}

/** Outcomes and facts of the event are compared delivery by delivery. */
function hasIndex({ kind, state, licenseId, from, until }: DeliveryFilter): boolean {
  return [kind, state, licenseId, from, until].every((value) => value === undefined);
}
