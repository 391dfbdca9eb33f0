import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { attemptDelivery, type ClaimedDelivery, claimDueDeliveries } from "#lib/services/webhook/deliver.ts";
import { type BackgroundLoop, startLoop } from "./background-loop.ts";

export interface WebhookWorkerOptions {
  readonly logError: (error: unknown) => void;
  /** Concurrent attempts. */
  readonly slots?: number;
  /** Poll interval for due retries and lost wake-ups. */
  readonly pollEveryMs?: number;
}

const SLOTS = 200;
const CLAIM_AT_MOST = 100;
const POLL_EVERY_MS = 1_000;
const POLL_AFTER_ERROR_MS = 5_000;

/**
 * Delivers webhooks until stopped. Safe on several instances: the database assigns each delivery to one of them.
 * Unresponsive endpoints can use at most half of the slots, so they cannot block the others.
 */
export function startWebhookWorker(
  ctx: ServiceContext,
  sender: WebhookSender,
  { logError, slots = SLOTS, pollEveryMs = POLL_EVERY_MS }: WebhookWorkerOptions,
): Pick<BackgroundLoop<unknown>, "wake" | "stop"> {
  const failingSlots = Math.max(1, slots >> 1);
  let failingUnderWay = 0;

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    const { failing } = delivery;
    if (failing) failingUnderWay++;
    try {
      await attemptDelivery(ctx, { delivery, sender });
    } finally {
      if (failing) failingUnderWay--;
    }
  }

  return startLoop({
    async poll({ underWay, begin }) {
      const free = Math.min(slots - underWay.size, CLAIM_AT_MOST);
      if (free <= 0) return false;
      const claimed = await claimDueDeliveries(ctx, { slots: free, failingSlots: failingSlots - failingUnderWay });
      for (const delivery of claimed) begin(delivery.deliveryId, attempt(delivery));
      return claimed.length === CLAIM_AT_MOST;
    },
    everyMs: pollEveryMs,
    pollsAtEnds: true,
    afterErrorMs: POLL_AFTER_ERROR_MS,
    logError,
  });
}
