import { type DeliveryFilter, type DeliveryRow, listDeliveryRows } from "#lib/db/webhook/log.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { DeliveryFilter, DeliveryRow, WebhookDeliveryState } from "#lib/db/webhook/log.ts";

/** The webhook log, newest first. `before`: the previous page's `nextBefore`. */
export async function listWebhookDeliveries(
  ctx: ServiceContext,
  input: { readonly filter: DeliveryFilter; readonly before: string | null; readonly limit: number },
): Promise<{ readonly deliveries: readonly DeliveryRow[]; readonly nextBefore: string | null }> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const found = await listDeliveryRows(await ctx.db.reads(), resellerId, { ...input, limit: input.limit + 1 });
  const deliveries = found.slice(0, input.limit);
  return { deliveries, nextBefore: found.length > input.limit ? (deliveries.at(-1)?.id ?? null) : null };
}
