import { challengeWebhookEndpoint } from "#lib/db/webhook/challenge.ts";
import { findWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { WebhookEndpointId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";

/** Per reseller and hour, across hosts. */
const CHALLENGES_PER_HOUR = 60;

/**
 * Sends a pending endpoint a new challenge. No effect on an active one.
 * @throws DomainError `not_found`, `conflict` (paused or disabled), `rate_limited`.
 */
export async function verifyWebhookEndpoint(
  ctx: ServiceContext,
  input: { readonly endpointId: number },
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { id, status } = toView(requireFound(await findWebhookEndpoint(ctx.db, resellerId, input.endpointId)));
  if (status === "paused" || status === "disabled") {
    throw new DomainError("conflict", `This webhook endpoint is ${status}. Set its status to active first.`);
  }
  const retryAfterSeconds = await challengeWebhookEndpoint(writesOf(ctx), id, CHALLENGES_PER_HOUR, changedBy(ctx));
  if (retryAfterSeconds !== null) {
    const message = `An account can have ${CHALLENGES_PER_HOUR} endpoints challenged an hour. Wait, then verify again.`;
    throw new DomainError("rate_limited", message, { retryAfterSeconds });
  }
  return toView(requireFound(await findWebhookEndpoint(writesOf(ctx), resellerId, id)));
}

/**
 * Sends a challenge as part of another change. If the reseller has had all of its challenges, the endpoint stays
 * pending with that reason.
 */
export async function queueChallenge(ctx: ServiceContext, endpointId: WebhookEndpointId): Promise<void> {
  await challengeWebhookEndpoint(writesOf(ctx), endpointId, CHALLENGES_PER_HOUR, { ...changedBy(ctx), actor: null });
}
