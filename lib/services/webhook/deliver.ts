import type { Lease } from "#lib/db/lease/keeper.ts";
import { concludeWebhookChallenge } from "#lib/db/webhook/challenge.ts";
import {
  type AttemptResult,
  claimWebhookDeliveries,
  type ClaimedDelivery as DeliveryRow,
  recordWebhookAttempt,
  redirectWebhookDelivery,
  releaseWebhookDeliveries,
} from "#lib/db/webhook/delivery.ts";
import { disableWebhookEndpoint } from "#lib/db/webhook/endpoint.ts";
import { formatEventId } from "#lib/domain/ids.ts";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";
import { formatWebhookBody, signWebhook } from "#lib/domain/webhook-signature.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { disablingReason, toAttemptResult } from "./attempt-result.ts";
import { openWebhookSecrets } from "./secrets.ts";

export interface ClaimedDelivery extends DeliveryRow {
  readonly lease: Lease;
}

/** Claims due deliveries for this process. */
export async function claimDueDeliveries(
  ctx: ServiceContext,
  input: { readonly slots: number; readonly failingSlots: number },
): Promise<readonly ClaimedDelivery[]> {
  requireSystem(ctx);
  // A claim in doubt is not renewed: attempts start right after their claim, and another process repeats them.
  const lease = await ctx.leases.begin(async () => false);
  try {
    const { webhookLimits: limits = DEFAULT_TARGET_LIMITS } = ctx.settings;
    const claimed = await claimWebhookDeliveries(ctx.db, lease, { ...input, limits, now: ctx.now() });
    return claimed.map((delivery) => ({ ...delivery, lease }));
  } catch (error) {
    ctx.leases.abandon(() => releaseWebhookDeliveries(ctx.db, lease, null));
    throw error;
  }
}

/**
 * Attempts a claimed delivery, records the result, and disables an endpoint that is gone or has only failed for five
 * days. At least once: if the process dies first, the delivery is repeated under the same `webhook-id`.
 */
export async function attemptDelivery(
  ctx: ServiceContext,
  input: { readonly delivery: ClaimedDelivery; readonly sender: WebhookSender },
): Promise<{ readonly succeeded: boolean }> {
  requireSystem(ctx);
  const { delivery, sender } = input;
  const { lease } = delivery;
  try {
    if (lease.isHeld()) return await makeAttempt(ctx, delivery, sender);
    ctx.leases.abandon(() => releaseWebhookDeliveries(ctx.db, lease, delivery.deliveryId));
    return { succeeded: false };
  } catch (error) {
    ctx.leases.abandon(() => releaseWebhookDeliveries(ctx.db, lease, delivery.deliveryId));
    throw error;
  }
}

async function makeAttempt(ctx: ServiceContext, delivery: ClaimedDelivery, sender: WebhookSender) {
  const body = formatWebhookBody(delivery);
  const begunAtMs = performance.now();
  const { headers, reply } = await send(ctx, delivery, sender, body);
  if (reply.kind === "moved") {
    await redirectWebhookDelivery(ctx.db, delivery.lease, delivery.deliveryId, reply.target);
    return { succeeded: false };
  }
  const durationMs = Math.round(performance.now() - begunAtMs);
  const random = Buffer.from(ctx.randomBytes(4)).readUInt32LE() / 2 ** 32;
  const result = toAttemptResult(delivery, reply, { headers, durationMs, endedAt: ctx.now(), random });
  if (result.challenge) await concludeChallenge(ctx, delivery, result);
  // A brief outage of the database must not repeat deliveries.
  const failingSince = await ctx.leases.persist(() => recordWebhookAttempt(ctx.db, result));
  const { endpointId } = delivery;
  const reason = disablingReason(result, failingSince);
  if (reason) await disableWebhookEndpoint(ctx.db, endpointId, reason, { ...changedBy(ctx), now: result.endedAt });
  return { succeeded: result.succeeded };
}

/** Before the result is recorded: a process that dies in between repeats the challenge. */
async function concludeChallenge(ctx: ServiceContext, delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
  const { endpointId, eventId } = delivery;
  const error = result.succeeded ? null : (result.error ?? `The receiver answered ${result.status}, not 2xx.`);
  await ctx.leases.persist(() =>
    concludeWebhookChallenge(ctx.db, { endpointId, eventId, error }, { ...changedBy(ctx), now: result.endedAt }),
  );
}

async function send(ctx: ServiceContext, delivery: ClaimedDelivery, sender: WebhookSender, body: string) {
  const { sealingKey } = ctx.settings;
  const sentAt = ctx.now();
  let secrets: string[];
  try {
    if (!sealingKey) throw new Error("no key");
    secrets = openWebhookSecrets(delivery, sealingKey, sentAt);
  } catch {
    const error = "Not sent: the signing secret cannot be read with this ENCRYPTION_KEY.";
    return { headers: {}, reply: { kind: "failed", error } as const };
  }
  const headers = signWebhook({ id: formatEventId(delivery.eventId), sentAt, body }, secrets);
  const { url, target, failureCount: failures } = delivery;
  return { headers, reply: await sender.send({ url, target, failures, headers, body }) };
}
