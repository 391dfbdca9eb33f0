import { findWebhookSealing, rotateWebhookSecretRow } from "#lib/db/webhook/secret.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { writeInSession } from "#lib/services/user/write-in-session.ts";
import { requireFound, toView, type WebhookEndpointView } from "./endpoint.ts";
import { makeWebhookSecret } from "./secrets.ts";

/** Contract 4.2. */
const BOTH_SIGN_MS = 24 * 3_600_000;

/**
 * Gives an endpoint a new secret, shown once. The previous one also signs for 24 hours.
 * @throws DomainError `not_found`, `conflict` (a chat), `unavailable` (no ENCRYPTION_KEY).
 */
export async function rotateWebhookSecret(
  ctx: ServiceContext,
  input: { readonly endpointId: number },
): Promise<{ readonly endpoint: WebhookEndpointView; readonly secret: string; readonly previousSecretUntil: Date }> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { format, sealId } = requireFound(await findWebhookSealing(ctx.db, resellerId, input.endpointId));
  if (format !== "standard") {
    throw new DomainError("conflict", `Messages of the format ${format} are not signed: there is no secret to rotate.`);
  }
  const { secret, sealed } = makeWebhookSecret(sealId, requireSealingKey(ctx.settings.sealingKey), ctx.randomBytes);
  const by = changedBy(ctx);
  const previousUntil = new Date(by.now.getTime() + BOTH_SIGN_MS);
  const rotation = { secret: sealed, previousUntil, by };
  const row = await writeInSession(ctx, (db) => rotateWebhookSecretRow(db, resellerId, input.endpointId, rotation));
  return { endpoint: toView(requireFound(row)), secret, previousSecretUntil: previousUntil };
}
