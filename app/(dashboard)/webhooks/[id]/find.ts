import { notFound } from "next/navigation";
import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireResellerUser } from "#lib/dashboard/session.ts";
import { parseWebhookEndpointId } from "#lib/domain/ids.ts";
import type { WebhookEndpointView } from "#lib/services/webhook/endpoint.ts";
import { getWebhookEndpoint } from "#lib/services/webhook/get.ts";

/** `id`: as in the address, `whe_12`. */
export const findEndpoint = cache(async (id: string): Promise<WebhookEndpointView> => {
  const ctx = contextOf(await requireResellerUser("webhooks:read"));
  const endpointId = parseWebhookEndpointId(id);
  return endpointId === null ? notFound() : orNotFound(getWebhookEndpoint(ctx, { endpointId }));
});
