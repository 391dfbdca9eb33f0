import { queueProblemMails } from "#lib/services/mail/queue-problem-mails.ts";
import type { Job } from "./job.ts";

export const queueProblemMailsJob: Job = async (ctx) => {
  const messages = await queueProblemMails(ctx);
  return messages > 0 ? { messages } : null;
};
