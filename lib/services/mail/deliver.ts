import type { Lease } from "#lib/db/lease/keeper.ts";
import { type ClaimedMailRow, claimMails, recordMailAttempt, releaseMails } from "#lib/db/mail/mail.ts";
import { mailRetryDelayMs } from "#lib/domain/mail/retry.ts";
import type { MailReply, MailSender } from "#lib/ports/mail-sender.ts";
import { requireSystem, type ServiceContext } from "#lib/services/context.ts";
import { formatMail } from "./format.ts";

export interface ClaimedMail extends ClaimedMailRow {
  readonly lease: Lease;
}

/** Claims due messages for this process; without slots, only forgets links that have ended. */
export async function claimDueMails(
  ctx: ServiceContext,
  input: { readonly slots: number },
): Promise<readonly ClaimedMail[]> {
  requireSystem(ctx);
  // A claim in doubt is not renewed: attempts start right after their claim, and another process repeats them.
  const lease = await ctx.leases.begin(async () => false);
  try {
    const claimed = await claimMails(ctx.db, lease, { ...input, now: ctx.now() });
    return claimed.map((mail) => ({ ...mail, lease }));
  } catch (error) {
    ctx.leases.abandon(() => releaseMails(ctx.db, lease, null));
    throw error;
  }
}

/**
 * Sends a claimed message and records the result. At least once: if the process dies first, it is sent again under the
 * same Message-ID.
 */
export async function attemptMail(
  ctx: ServiceContext,
  input: { readonly mail: ClaimedMail; readonly sender: Pick<MailSender, "send"> },
): Promise<MailReply["kind"] | "released"> {
  requireSystem(ctx);
  const { mail, sender } = input;
  const release = () => ctx.leases.abandon(() => releaseMails(ctx.db, mail.lease, mail.id));
  try {
    if (!mail.lease.isHeld()) {
      release();
      return "released";
    }
    const reply = await send(ctx, mail, sender);
    const endedAt = ctx.now();
    const result = {
      id: mail.id,
      endedAt,
      error: reply.kind === "accepted" ? null : reply.error,
      nextAttemptAt: reply.kind === "failed" ? findNextAttempt(ctx, mail, endedAt) : null,
    };
    // A brief outage of the database must not repeat messages.
    await ctx.leases.persist(() => recordMailAttempt(ctx.db, mail.lease, result));
    return reply.kind;
  } catch (error) {
    release();
    throw error;
  }
}

async function send(ctx: ServiceContext, mail: ClaimedMail, sender: Pick<MailSender, "send">): Promise<MailReply> {
  try {
    const message = formatMail(ctx, mail);
    if (message !== null) return await sender.send(message);
    return { kind: "failed", error: "Not sent: its link cannot be read with this ENCRYPTION_KEY." };
  } catch {
    return { kind: "failed", error: "Not sent: this version cannot write the message from what is stored." };
  }
}

/** Null: it would be too late. */
function findNextAttempt(ctx: ServiceContext, { attemptCount, sendUntil }: ClaimedMail, endedAt: Date): Date | null {
  const random = Buffer.from(ctx.randomBytes(4)).readUInt32LE() / 2 ** 32;
  const next = new Date(endedAt.getTime() + mailRetryDelayMs(attemptCount, random));
  return next < sendUntil ? next : null;
}
