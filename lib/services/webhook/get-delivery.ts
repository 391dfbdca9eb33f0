import type { DeliveryRow } from "#lib/db/webhook/log.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { requireDelivery } from "./endpoint.ts";

/** One line of the log; `getWebhookEvent` has its event and attempts. @throws DomainError `not_found`. */
export async function getWebhookDelivery(
  ctx: ServiceContext,
  input: { readonly deliveryId: string },
): Promise<DeliveryRow> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  return requireDelivery(ctx.db, resellerId, input.deliveryId);
}
