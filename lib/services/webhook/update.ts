import { updateWebhookEndpointRow } from "#lib/db/webhook-endpoint.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { checkEndpointFields } from "./validate.ts";

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
 * Changes what is given. What waits to be delivered goes to the new URL; the kinds count for events from now on.
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
  return toView(
    requireFound(await updateWebhookEndpointRow(writesOf(ctx), resellerId, endpointId, change, changedBy(ctx))),
  );
}
