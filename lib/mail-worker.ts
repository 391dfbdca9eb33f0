import type { MailSender } from "#lib/ports/mail-sender.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { attemptMail, claimDueMails } from "#lib/services/mail/deliver.ts";
import { type BackgroundLoop, startLoop } from "./background-loop.ts";

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
): Pick<BackgroundLoop<unknown>, "stop"> {
  return startLoop({
    async poll({ underWay, begin }) {
      const free = slots - underWay.size;
      if (free <= 0) return false;
      const claimed = await claimDueMails(ctx, { slots: sender === null ? 0 : free });
      if (sender === null) return false;
      for (const mail of claimed)
        begin(
          mail.id,
          attemptMail(ctx, { mail, sender }).then(() => undefined),
        );
      return false;
    },
    everyMs: pollEveryMs,
    pollsAtEnds: true,
    afterErrorMs: POLL_AFTER_ERROR_MS,
    logError,
  });
}
