import { queueDigestMailRows } from "#lib/db/mail/mail.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";

/** Writes the messages that gather what happened, each once. Returns their number. */
export async function queueDigestMails(ctx: ServiceContext): Promise<number> {
  requireSystem(ctx);
  return queueDigestMailRows(ctx.db, ctx.now());
}
