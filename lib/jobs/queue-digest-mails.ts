import { queueDigestMails } from "#lib/services/mail/queue-digests.ts";
import type { Job } from "./job.ts";

export const queueDigestMailsJob: Job = async (ctx) => {
  const messages = await queueDigestMails(ctx);
  return messages > 0 ? { messages } : null;
};
