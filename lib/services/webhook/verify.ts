import { challengeWebhookEndpoint } from "#lib/db/webhook/challenge.ts";
import { findWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { WebhookEndpointId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { redeemChatCode } from "./redeem-code.ts";

/** Per reseller and hour, across hosts. */
const CHALLENGES_PER_HOUR = 60;

/**
 * Sends a pending endpoint a new challenge or, with the code that its chat received, activates it. No effect on an active
 * one.
 * @throws DomainError `not_found`, `conflict` (paused, disabled, or no valid code), `rate_limited`, `parameters_invalid`.
 */
export async function verifyWebhookEndpoint(
  ctx: ServiceContext,
  input: { readonly endpointId: number; readonly code?: string | undefined },
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const endpoint = toView(requireFound(await findWebhookEndpoint(ctx.db, resellerId, input.endpointId)));
  const { id, status, format } = endpoint;
  if (status === "paused" || status === "disabled") {
    throw new DomainError("conflict", `This webhook endpoint is ${status}. Set its status to active first.`);
  }
  if (input.code !== undefined) {
    if (format === "standard") throw malformed("code", "must be absent: the endpoint answers the challenge itself");
    if (status === "pending") await redeemChatCode(ctx, resellerId, endpoint, input.code);
    return toView(requireFound(await findWebhookEndpoint(writesOf(ctx), resellerId, id)));
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
