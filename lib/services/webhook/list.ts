import { listWebhookEndpointRows } from "#lib/db/webhook/endpoint.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { toView, type WebhookEndpointView } from "./endpoint.ts";

/** All of the reseller's endpoints (at most 20), oldest first. */
export async function listWebhookEndpoints(ctx: ServiceContext): Promise<readonly WebhookEndpointView[]> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  return (await listWebhookEndpointRows(ctx.db, resellerId)).map(toView);
}
