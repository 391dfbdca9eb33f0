import { notFound } from "next/navigation";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { parseWebhookEndpointId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import { getWebhookEndpoint } from "#lib/services/webhook/get.ts";

/** `id`: as in the address, `whe_12`. */
export function findEndpoint(ctx: ServiceContext, id: string): Promise<WebhookEndpointView> {
  return orNotFound(getWebhookEndpoint(ctx, { endpointId: parseWebhookEndpointId(id) ?? notFound() }));
}
