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
import { findEventRequestId } from "#lib/db/webhook/event-request.ts";
import { isTracing, traced } from "#lib/domain/trace.ts";
import { DEFAULT_TARGET_LIMITS } from "#lib/domain/webhook-limits.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { disablingReason, toAttemptResult } from "./attempt-result.ts";
import { formatMessage, type WebhookMessage } from "./message.ts";

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
    if (lease.isHeld()) return await traceAttempt(ctx, delivery, () => makeAttempt(ctx, delivery, sender));
    ctx.leases.abandon(() => releaseWebhookDeliveries(ctx.db, lease, delivery.deliveryId));
    return { succeeded: false };
  } catch (error) {
    ctx.leases.abandon(() => releaseWebhookDeliveries(ctx.db, lease, delivery.deliveryId));
    throw error;
  }
}

/** In the trace of the request whose operation wrote the event. */
async function traceAttempt<Result>(
  ctx: ServiceContext,
  { eventId }: ClaimedDelivery,
  attempt: () => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return attempt();
  const cause = await findEventRequestId(ctx.db, eventId);
  const request = { id: cause ?? eventId, role: cause === null ? "begins" : "continues" } as const;
  return traced({ name: "webhook delivery", kind: "client", request }, attempt);
}

async function makeAttempt(ctx: ServiceContext, delivery: ClaimedDelivery, sender: WebhookSender) {
  const begunAtMs = performance.now();
  const { headers, reply } = await send(ctx, delivery, sender);
  if (reply.kind === "moved") {
    await redirectWebhookDelivery(ctx.db, delivery.lease, delivery.deliveryId, reply.target);
    return { succeeded: false };
  }
  const durationMs = Math.round(performance.now() - begunAtMs);
  const random = Buffer.from(ctx.randomBytes(4)).readUInt32LE() / 2 ** 32;
  const result = toAttemptResult(delivery, reply, { headers, durationMs, endedAt: ctx.now(), random });
  // A chat answers a challenge by its code (`redeemChatCode`).
  if (result.challenge && !(result.succeeded && delivery.format !== "standard"))
    await concludeChallenge(ctx, delivery, result);
  // A brief outage of the database must not repeat deliveries.
  const failingSince = await ctx.leases.persist(() => recordWebhookAttempt(ctx.db, result));
  const { endpointId: id, challengeEventId } = delivery;
  const reason = disablingReason(result, failingSince);
  if (reason) {
    await disableWebhookEndpoint(ctx.db, { id, challengeEventId }, reason, { ...changedBy(ctx), now: result.endedAt });
  }
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

async function send(ctx: ServiceContext, delivery: ClaimedDelivery, sender: WebhookSender) {
  const { sealingKey: key } = ctx.settings;
  let message: WebhookMessage;
  try {
    if (!key) throw new Error("no key");
    message = formatMessage(ctx.settings, delivery, { key, now: ctx.now() });
  } catch {
    const error = "Not sent: the endpoint's secret cannot be read with this ENCRYPTION_KEY.";
    return { headers: null, reply: { kind: "failed", error } as const };
  }
  const { target, failureCount: failures } = delivery;
  const headers = delivery.format === "standard" ? message.headers : null;
  return { headers, reply: await sender.send({ ...message, target, failures }) };
}
