import type { WebhookSender } from "#lib/ports/webhook-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { attemptDelivery, type ClaimedDelivery, claimDueDeliveries } from "#lib/services/webhook/deliver.ts";

export interface WebhookWorker {
  /** There may be something to deliver. */
  wake(): void;
  /** Begins no more attempts, and waits for those under way, at most `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface WebhookWorkerOptions {
  readonly logError: (error: unknown) => void;
  /** Attempts under way at a time. */
  readonly slots?: number;
  /** Retries fall due, and a wake-up may be lost: how often to look without one. */
  readonly pollEveryMs?: number;
}

const SLOTS = 200;
const CLAIM_AT_MOST = 100;
const POLL_EVERY_MS = 1_000;
const POLL_AFTER_ERROR_MS = 5_000;
/** Between two claims, so that attempts which end one by one do not claim one by one. */
const PAUSE_MS = 10;

/**
 * Delivers webhooks until it is stopped. Any number of instances may: the database gives each delivery to one of them.
 * Half of the slots are closed to endpoints that do not answer, so however many there are, the others are served.
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
        // What is given up at the end is no error: its lease runs out.
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

  /** True when there may be more to claim at once. */
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
