import { DomainError } from "#lib/domain/errors.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { mailSettingsOf } from "./settings.ts";

/** Messages of one reseller to one mailbox within an hour. Others have their own, so none can use up another's. */
export const PER_MAILBOX = 5;
/** Messages of one reseller within an hour, to any mailbox; without a mail server, links that are shown instead. */
export const PER_RESELLER = 100;
const SECONDS_PER_MINUTE = 60;

/**
 * Counts a message, or the link shown in its place, for an address that the actor typed, whose owner may never have
 * asked for it. Admins and the command line have no limit. Counted before its work is done, and also if that fails.
 * @throws DomainError `rate_limited`
 */
export async function requireMailQuota(
  { actor, mailLimiter, now, settings }: ServiceContext,
  email: string,
): Promise<void> {
  if (actor.kind !== "reseller_user") return;
  const { hasServer } = mailSettingsOf({ settings });
  const nowMs = now().getTime();
  const { resellerId } = actor;
  // First, so that a reseller over this limit counts no further mailboxes: too many would evict others' counts.
  const all = await mailLimiter.take(`reseller:${resellerId}`, PER_RESELLER, nowMs);
  if (!all.allowed) {
    const what = hasServer ? `sent ${PER_RESELLER} messages` : `made ${PER_RESELLER} links`;
    throw overQuota(`Your account ${what}`, all.retryAfterSeconds);
  }
  // Nothing reaches the mailbox.
  if (!hasServer) return;
  const mailbox = await mailLimiter.take(`mailbox:${resellerId}:${email}`, PER_MAILBOX, nowMs);
  if (!mailbox.allowed) throw overQuota(`${PER_MAILBOX} messages went to ${email}`, mailbox.retryAfterSeconds);
}

function overQuota(what: string, retryAfterSeconds: number): DomainError {
  const minutes = Math.ceil(retryAfterSeconds / SECONDS_PER_MINUTE);
  const message = `${what} within an hour. Try again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds });
}
