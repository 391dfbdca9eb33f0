import { updateWebhookEndpointRow } from "#lib/db/webhook/endpoint.ts";
import { findWebhookSealing } from "#lib/db/webhook/secret.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { changedMeanwhile } from "#lib/services/operation/seen-version.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { writeInSession } from "#lib/services/user/write-in-session.ts";
import { formatOfFields } from "./destination.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { sealWebhookSecret } from "./secrets.ts";
import { checkEndpointFields, type EndpointFields } from "./validate.ts";
import { queueChallenge } from "./verify.ts";

/**
 * Changes the given fields; kinds apply to future events. A new destination makes the endpoint pending and is sent a
 * challenge; waiting deliveries go there once it meets it. A given chat URL or bot token is new: the previous one is not
 * compared.
 * @throws DomainError `parameters_invalid`, `not_found`, `changed_meanwhile`, `unavailable` (no ENCRYPTION_KEY).
 */
export async function updateWebhookEndpoint(
  ctx: ServiceContext,
  input: EndpointFields & { readonly endpointId: number },
): Promise<WebhookEndpointView> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { endpointId, description, concurrency, ordered } = input;
  const sealing = await findWebhookSealing(ctx.db, resellerId, endpointId);
  // Invalid values are the answer whether the endpoint exists or not (contract 1.3).
  const { capability, url, chatId, kinds } = checkEndpointFields(
    input,
    sealing?.format ?? input.format ?? formatOfFields(input),
    ctx.settings,
  );
  const { sealId } = requireFound(sealing);
  const secret =
    capability === undefined
      ? undefined
      : sealWebhookSecret(capability, sealId, requireSealingKey(ctx.settings.sealingKey), ctx.randomBytes);
  const change = { url, secret, chatId, description, kinds, concurrency, ordered };
  const { seenVersion = null } = ctx;
  const by = changedBy(ctx);
  const row = await writeInSession(ctx, (db) =>
    updateWebhookEndpointRow(db, resellerId, endpointId, change, seenVersion, by),
  );
  if (row === null && seenVersion !== null) throw changedMeanwhile("This endpoint");
  const endpoint = toView(requireFound(row));
  if (endpoint.status === "pending" && endpoint.challengeEventId === null) await queueChallenge(ctx, endpoint.id);
  return endpoint;
}
