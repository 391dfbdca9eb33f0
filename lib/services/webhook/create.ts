import { randomUUID } from "node:crypto";
import { insertWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireReseller, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { toView, type WebhookEndpointView } from "./endpoint.ts";
import { makeWebhookSecret } from "./secrets.ts";
import { checkEndpointFields } from "./validate.ts";
import { queueChallenge } from "./verify.ts";

const ENDPOINTS_MAX = 20;
const CONCURRENCY_DEFAULT = 4;

export interface CreateWebhookEndpointInput {
  readonly url: string;
  readonly description?: string | undefined;
  /** Kinds of events; empty or absent: all. */
  readonly events?: readonly string[] | undefined;
  /** Concurrent requests, 1–10. */
  readonly concurrency?: number | undefined;
  /** One at a time, in the order of the events. */
  readonly ordered?: boolean | undefined;
}

/**
 * Adds an endpoint, pending until it meets its challenge. `secret` is shown once.
 * @throws DomainError `parameters_invalid`, `conflict` (20 endpoints), `unavailable` (no ENCRYPTION_KEY).
 */
export async function createWebhookEndpoint(
  ctx: ServiceContext,
  input: CreateWebhookEndpointInput,
): Promise<{ readonly endpoint: WebhookEndpointView; readonly secret: string }> {
  const resellerId = requireReseller(ctx, "webhooks:write");
  const { description = "", concurrency = CONCURRENCY_DEFAULT, ordered = false } = input;
  const { url = input.url, kinds = [] } = checkEndpointFields(input, ctx.settings.webhookTargets);
  const sealId = randomUUID();
  const { secret, sealed } = makeWebhookSecret(sealId, requireSealingKey(ctx.settings.sealingKey), ctx.randomBytes);
  const row = await insertWebhookEndpoint(
    writesOf(ctx),
    { resellerId, url, description, kinds, concurrency, ordered, sealId, secret: sealed },
    ENDPOINTS_MAX,
    changedBy(ctx),
  );
  if (!row) {
    throw new DomainError("conflict", `An account can have ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`);
  }
  await queueChallenge(ctx, row.id);
  return { endpoint: toView(row), secret };
}
