import { randomUUID } from "node:crypto";
import { insertWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { writeInSession } from "#lib/services/user/write-in-session.ts";
import { toView, type WebhookEndpointView } from "./endpoint.ts";
import { makeWebhookSecret, sealWebhookSecret } from "./secrets.ts";
import { checkEndpointFields, type EndpointFields } from "./validate.ts";
import { queueChallenge } from "./verify.ts";

const ENDPOINTS_MAX = 20;
const CONCURRENCY_DEFAULT = 4;

/**
 * Adds an endpoint, pending until it meets its challenge. `secret` is shown once, and empty for a chat, which
 * checks no signatures.
 * @throws DomainError `parameters_invalid`, `conflict` (20 endpoints), `unavailable` (no ENCRYPTION_KEY).
 */
export async function createWebhookEndpoint(
  ctx: ServiceContext,
  input: EndpointFields,
): Promise<{ readonly endpoint: WebhookEndpointView; readonly secret: string }> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { format = "standard", description = "", concurrency = CONCURRENCY_DEFAULT, ordered = false } = input;
  const { url = "", chatId = null, capability, kinds = [] } = checkEndpointFields(input, null, ctx.settings);
  const sealId = randomUUID();
  const key = requireSealingKey(ctx.settings.sealingKey);
  const { secret, sealed } =
    capability === undefined
      ? makeWebhookSecret(sealId, key, ctx.randomBytes)
      : { secret: "", sealed: sealWebhookSecret(capability, sealId, key, ctx.randomBytes) };
  const fields = { resellerId, format, url, chatId, description, kinds, concurrency, ordered, sealId, secret: sealed };
  const row = await writeInSession(ctx, (db) => insertWebhookEndpoint(db, fields, ENDPOINTS_MAX, changedBy(ctx)));
  if (!row) {
    throw new DomainError("conflict", `An account can have ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`);
  }
  await queueChallenge(ctx, row.id);
  return { endpoint: toView(row), secret };
}
