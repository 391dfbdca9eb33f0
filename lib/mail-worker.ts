import { setTimeout as sleep } from "node:timers/promises";
import type { MailSender } from "#lib/ports/mail-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { attemptMail, claimDueMails } from "#lib/services/mail/deliver.ts";

export interface MailWorker {
  /** Starts no new attempts, and waits up to `graceMs` for those in progress. */
  stop(graceMs: number): Promise<void>;
}

export interface MailWorkerOptions {
  readonly logError: (error: unknown) => void;
  /** Concurrent connections to the mail server. */
  readonly slots?: number;
  readonly pollEveryMs?: number;
}

const SLOTS = 5;
const POLL_EVERY_MS = 1_000;
const POLL_AFTER_ERROR_MS = 5_000;

/**
 * Sends the outbox until stopped. Safe on several instances: the database assigns each message to one of them. Without a
 * sender, messages stay in the outbox.
 */
export function startMailWorker(
  ctx: ServiceContext,
  sender: MailSender | null,
  { logError, slots = SLOTS, pollEveryMs = POLL_EVERY_MS }: MailWorkerOptions,
): MailWorker {
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function claim(): Promise<void> {
    const claimed = await claimDueMails(ctx, { slots: sender === null ? 0 : slots - underWay.size });
    if (sender === null) return;
    for (const mail of claimed) {
      const attempt: Promise<void> = attemptMail(ctx, { mail, sender })
        // Attempts abandoned at the end are not errors: their leases expire.
        .then(
          () => undefined,
          (error) => (stopping.signal.aborted ? undefined : logError(error)),
        )
        .finally(() => underWay.delete(attempt));
      underWay.add(attempt);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = pollEveryMs;
      try {
        if (underWay.size < slots) await claim();
      } catch (error) {
        if (stopping.signal.aborted) return;
        logError(error);
        waitMs = POLL_AFTER_ERROR_MS;
      }
      const isFull = underWay.size >= slots;
      await Promise.race([pause(waitMs, stopping.signal), ...(isFull ? underWay : [])]);
    }
  }
  const running = run();

  return {
    async stop(graceMs) {
      stopping.abort();
      await Promise.race([Promise.all([running, ...underWay]), pause(graceMs)]);
    },
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {});
}
