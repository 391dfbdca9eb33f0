import { discardDeliveries } from "#lib/db/webhook/deliveries-in-batches.ts";
import { wakeWebhookDelivery } from "#lib/db/webhook/delivery.ts";
import { findWebhookEndpoint, updateWebhookEndpointPause } from "#lib/db/webhook/endpoint.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { queueChallenge } from "./verify.ts";

/**
 * Pauses an endpoint, or resumes a paused or disabled one. Waiting deliveries continue after a pause; events meanwhile
 * are not queued, but can be resent. Deliveries discarded by disabling can be resent (`resendNotDelivered`). A pending
 * endpoint gets a new challenge. Idempotent.
 * @throws DomainError `not_found`.
 */
export async function setWebhookEndpointPaused(
  ctx: ServiceContext,
  input: { readonly endpointId: number; readonly paused: boolean },
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { endpointId, paused } = input;
  const before = requireFound(await findWebhookEndpoint(ctx.db, resellerId, endpointId));
  if (!paused && before.disabledAt) await discardDeliveries(ctx.db, before.id);
  const row = await updateWebhookEndpointPause(writesOf(ctx), resellerId, endpointId, paused, changedBy(ctx));
  const endpoint = toView(requireFound(row));
  if (paused) return endpoint;
  if (endpoint.status === "pending") await queueChallenge(ctx, endpoint.id);
  else await wakeWebhookDelivery(writesOf(ctx));
  return endpoint;
}
