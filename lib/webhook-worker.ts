import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { attemptDelivery, type ClaimedDelivery, claimDueDeliveries } from "#lib/services/webhook/deliver.ts";

export interface WebhookWorker {
  /** Checks for deliveries immediately. */
  wake(): void;
  /** Starts no new attempts, and waits up to `graceMs` for those in progress. */
  stop(graceMs: number): Promise<void>;
}

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
/** Between claims, so attempts that end one by one are claimed together. */
const PAUSE_MS = 10;

/**
 * Delivers webhooks until stopped. Safe on several instances: the database assigns each delivery to one of them.
 * Unresponsive endpoints can use at most half of the slots, so they cannot block the others.
 */
export function startWebhookWorker(
  ctx: ServiceContext,
  sender: WebhookSender,
  { logError, slots = SLOTS, pollEveryMs = POLL_EVERY_MS }: WebhookWorkerOptions,
): WebhookWorker {
  const underWay = new Set<Promise<void>>();
  const failingSlots = Math.max(1, slots >> 1);
  let failingUnderWay = 0;
  let stopped = false;
  let woken = Promise.withResolvers<void>();

  function begin(delivery: ClaimedDelivery): void {
    const { failing } = delivery;
    if (failing) failingUnderWay++;
    const attempt: Promise<void> = attemptDelivery(ctx, { delivery, sender })
      .then(
        () => undefined,
        // Attempts abandoned at the end are not errors: their leases expire.
        (error) => {
          if (!stopped) logError(error);
        },
      )
      .finally(() => {
        if (failing) failingUnderWay--;
        underWay.delete(attempt);
        woken.resolve();
      });
    underWay.add(attempt);
  }

  /** True if there may be more to claim. */
  async function claim(): Promise<boolean> {
    const free = Math.min(slots - underWay.size, CLAIM_AT_MOST);
    if (free <= 0) return false;
    const claimed = await claimDueDeliveries(ctx, { slots: free, failingSlots: failingSlots - failingUnderWay });
    claimed.forEach(begin);
    return claimed.length === CLAIM_AT_MOST;
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = Promise.withResolvers();
      let waitMs = pollEveryMs;
      try {
        if (await claim()) continue;
      } catch (error) {
        if (stopped) return;
        logError(error);
        waitMs = POLL_AFTER_ERROR_MS;
      }
      await pause(PAUSE_MS);
      await withinMs(woken.promise, waitMs);
    }
  }
  const running = run();

  return {
    wake: () => woken.resolve(),
    async stop(graceMs) {
      stopped = true;
      woken.resolve();
      await withinMs(Promise.all([running, ...underWay]), graceMs);
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

async function withinMs(promise: Promise<unknown>, ms: number): Promise<void> {
  const elapsed = Promise.withResolvers<void>();
  const timer = setTimeout(elapsed.resolve, ms).unref();
  await Promise.race([promise, elapsed.promise]);
  clearTimeout(timer);
}
