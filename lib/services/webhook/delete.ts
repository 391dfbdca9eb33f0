import { deleteEndpointDeliveries } from "#lib/db/webhook/deliveries-in-batches.ts";
import { deleteWebhookEndpointRow } from "#lib/db/webhook/endpoint.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound } from "./endpoint.ts";

/** Deletes an endpoint with its deliveries and their log, but no events. @throws DomainError `not_found`. */
export async function deleteWebhookEndpoint(
  ctx: ServiceContext,
  input: { readonly endpointId: number },
): Promise<void> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  await deleteEndpointDeliveries(ctx.db, resellerId, input.endpointId);
  requireFound((await deleteWebhookEndpointRow(writesOf(ctx), resellerId, input.endpointId, changedBy(ctx))) || null);
}
