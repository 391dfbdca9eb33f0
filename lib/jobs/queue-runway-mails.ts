import { queueRunwayMails } from "#lib/services/mail/queue-runway-mails.ts";
import type { Job } from "./job.ts";

export const queueRunwayMailsJob: Job = async (ctx) => {
  const messages = await queueRunwayMails(ctx);
  return messages > 0 ? { messages } : null;
};
