import { notFound } from "next/navigation";
import { isDomainError } from "#lib/domain/errors.ts";
import { parseWebhookEndpointId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import { getWebhookEndpoint } from "#lib/services/webhook/get.ts";

/** Another reseller's is not found, as if there were none (decisions 1.12). `id`: as in the address, `whe_12`. */
export async function findEndpoint(ctx: ServiceContext, id: string): Promise<WebhookEndpointView> {
  const endpointId = parseWebhookEndpointId(id);
  if (endpointId === null) notFound();
  try {
    return await getWebhookEndpoint(ctx, { endpointId });
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  }
}
