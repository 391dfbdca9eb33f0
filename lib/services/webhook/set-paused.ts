import { wakeWebhookDelivery } from "#lib/db/webhook/delivery.ts";
import { updateWebhookEndpointPause } from "#lib/db/webhook/endpoint.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { queueChallenge } from "./verify.ts";

/**
 * Pauses an endpoint, or sets it going again, also one that was disabled. What waited when it was paused is delivered
 * afterwards; events that happen meanwhile are not queued for it, and can be resent one by one. What was discarded
 * when it was disabled can be resent (`resendNotDelivered`). A pending endpoint gets a new challenge. Twice changes
 * nothing.
 * @throws DomainError `permission_denied`, `not_found`.
 */
export async function setWebhookEndpointPaused(
  ctx: ServiceContext,
  input: { readonly endpointId: number; readonly paused: boolean },
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { endpointId, paused } = input;
  const row = await updateWebhookEndpointPause(writesOf(ctx), resellerId, endpointId, paused, changedBy(ctx));
  const endpoint = toView(requireFound(row));
  if (paused) return endpoint;
  if (endpoint.status === "pending") await queueChallenge(ctx, endpoint.id);
  else await wakeWebhookDelivery(writesOf(ctx));
  return endpoint;
}
