import { concludeWebhookChallenge, spendChallengeTry } from "#lib/db/webhook/challenge.ts";
import { isChatCode } from "#lib/domain/chat-code.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import type { WebhookEndpointView } from "./endpoint.ts";

const TRIES = 5;
const VALID_MS = 3_600_000;

/**
 * Activates a pending chat whose code was read there. A try counts even if the request is rejected.
 * @throws DomainError `parameters_invalid` (not the code), `conflict` (expired, or no tries left).
 */
export async function redeemChatCode(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { id: endpointId }: Pick<WebhookEndpointView, "id">,
  code: string,
): Promise<void> {
  const key = requireSealingKey(ctx.settings.sealingKey);
  const since = new Date(ctx.now().getTime() - VALID_MS);
  const challenge = await spendChallengeTry(ctx.db, resellerId, endpointId, { limit: TRIES, since });
  if (!challenge) {
    throw new DomainError("conflict", "The code has expired, or was entered wrong too often. Send a new code.");
  }
  const { eventId, tries } = challenge;
  if (!isChatCode(code, eventId, key)) {
    const left = TRIES - tries;
    const remedy = left === 0 ? "Send a new code" : `${left} ${left === 1 ? "try" : "tries"} left`;
    throw malformed("code", `is not the newest one in this chat. ${remedy}`);
  }
  await concludeWebhookChallenge(writesOf(ctx), { endpointId, eventId, error: null }, changedBy(ctx));
}
