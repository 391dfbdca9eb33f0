import { findWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";

/** @throws DomainError `not_found`. */
export async function getWebhookEndpoint(
  ctx: ServiceContext,
  input: { readonly endpointId: number },
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  return toView(requireFound(await findWebhookEndpoint(ctx.db, resellerId, input.endpointId)));
}
