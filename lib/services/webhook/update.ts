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
 * Changes the given fields; kinds apply to future events. A new URL makes the endpoint pending and is sent a challenge;
 * waiting deliveries go there once it meets it.
 * @throws DomainError `parameters_invalid`, `not_found`.
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
