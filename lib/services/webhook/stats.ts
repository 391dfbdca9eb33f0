import { findWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import {
  type EndpointActivityRow,
  listEndpointActivity,
  listStatsBuckets,
  type StatsBucketRow,
} from "#lib/db/webhook/stats.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { requireFound } from "./endpoint.ts";

export type { EndpointActivityRow, StatsBucketRow } from "#lib/db/webhook/stats.ts";

/** Attempts per endpoint since a time, in the order of `listWebhookEndpoints`. */
export async function summarizeWebhookActivity(
  ctx: ServiceContext,
  input: { readonly since: Date },
): Promise<readonly EndpointActivityRow[]> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  return listEndpointActivity(ctx.db, resellerId, input.since);
}

/** Attempts at an endpoint for a chart, in equal buckets that end now. @throws DomainError `not_found`. */
export async function getWebhookEndpointStats(
  ctx: ServiceContext,
  input: { readonly endpointId: number; readonly spanMs: number; readonly buckets: number },
): Promise<readonly StatsBucketRow[]> {
  const resellerId = requireReseller(ctx, "webhooks:read");
  const { endpointId, spanMs, buckets } = input;
  requireFound(await findWebhookEndpoint(ctx.db, resellerId, endpointId));
  const from = new Date(ctx.now().getTime() - spanMs);
  return listStatsBuckets(ctx.db, resellerId, endpointId, { from, bucketMs: spanMs / buckets, buckets });
}
