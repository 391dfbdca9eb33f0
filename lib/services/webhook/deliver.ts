import { setTimeout as sleep } from "node:timers/promises";
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimWebhookDeliveries,
  type FailingSince,
  recordWebhookAttempt,
} from "#lib/db/webhook-delivery.ts";
import { disableWebhookEndpoint } from "#lib/db/webhook-endpoint.ts";
import { formatEventId } from "#lib/domain/ids.ts";
import { signWebhook, webhookBody } from "#lib/domain/webhook-signature.ts";
import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { disablingReason, toAttemptResult } from "./attempt-result.ts";
import { openWebhookSecrets } from "./secrets.ts";

export type { ClaimedDelivery } from "#lib/db/webhook-delivery.ts";

/** Longer than any attempt takes: after it, the process that made the attempt is taken to be dead. */
const LEASE_MS = 60_000;
const RECORD_TRIES = 3;
const RECORD_PAUSE_MS = 1_000;

/** Takes deliveries that are due: each for this caller alone, until its lease has run out. */
export async function claimDueDeliveries(
  ctx: ServiceContext,
  input: { readonly slots: number; readonly failingSlots: number },
): Promise<readonly ClaimedDelivery[]> {
  requireAdmin(ctx);
  const now = ctx.now();
  return claimWebhookDeliveries(ctx.db, { ...input, now, leaseUntil: new Date(now.getTime() + LEASE_MS) });
}

/**
 * Makes one attempt at a claimed delivery, writes down what came of it, and disables an endpoint that is gone, or that
 * has only failed for five days. At least once: a process that dies before the result is written leaves the delivery
 * to be made again, under the same `webhook-id`.
 */
export async function attemptDelivery(
  ctx: ServiceContext,
  input: { readonly delivery: ClaimedDelivery; readonly sender: WebhookSender },
): Promise<{ readonly succeeded: boolean }> {
  requireAdmin(ctx);
  const { delivery, sender } = input;
  const body = webhookBody(delivery);
  const begunAtMs = performance.now();
  const { headers, reply } = await send(ctx, delivery, sender, body);
  const durationMs = Math.round(performance.now() - begunAtMs);
  const random = Buffer.from(ctx.randomBytes(4)).readUInt32LE() / 2 ** 32;
  const result = toAttemptResult(delivery, reply, { headers, durationMs, endedAt: ctx.now(), random });
  const failingSince = await recordPersistently(ctx, result);
  const { endpointId } = delivery;
  const reason = disablingReason(result, failingSince);
  if (reason) await disableWebhookEndpoint(ctx.db, endpointId, reason, { ...changedBy(ctx), now: result.endedAt });
  return { succeeded: result.succeeded };
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
  return { headers, reply: await sender.send({ url: delivery.url, headers, body }) };
}

/** A database that is away for a moment must not make a receiver get everything twice. */
async function recordPersistently(ctx: ServiceContext, result: AttemptResult): Promise<FailingSince> {
  for (let tries = 1; ; tries++) {
    try {
      return await recordWebhookAttempt(ctx.db, result);
    } catch (error) {
      if (tries === RECORD_TRIES) throw error;
      await sleep(RECORD_PAUSE_MS);
    }
  }
}
