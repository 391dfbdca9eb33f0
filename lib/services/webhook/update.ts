import { updateWebhookEndpointRow } from "#lib/db/webhook/endpoint.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { checkEndpointFields } from "./validate.ts";
import { queueChallenge } from "./verify.ts";

export interface UpdateWebhookEndpointInput {
  readonly endpointId: number;
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Kinds of events; empty: all. */
  readonly events?: readonly string[] | undefined;
  readonly concurrency?: number | undefined;
  readonly ordered?: boolean | undefined;
}

/**
 * Changes what is given; the kinds count for events from now on. Another URL makes the endpoint pending and gets a
 * challenge. What waits to be delivered goes there once it has met that.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `not_found`.
 */
export async function updateWebhookEndpoint(
  ctx: ServiceContext,
  input: UpdateWebhookEndpointInput,
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { endpointId, description, concurrency, ordered } = input;
  const { url, kinds } = checkEndpointFields(input, ctx.settings.webhookTargets);
  const change = { url, description, kinds, concurrency, ordered };
  const row = await updateWebhookEndpointRow(writesOf(ctx), resellerId, endpointId, change, changedBy(ctx));
  const endpoint = toView(requireFound(row));
  if (endpoint.status === "pending" && endpoint.challengeEventId === null) await queueChallenge(ctx, endpoint.id);
  return endpoint;
}
