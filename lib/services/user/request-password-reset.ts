import { setTimeout as sleep } from "node:timers/promises";
import { isReadOnlyRefusal } from "#lib/db/connection/errors.ts";
import { insertPasswordResetRow, listResettableUsers } from "#lib/db/user/access-link.ts";
import { countText } from "#lib/domain/count-text.ts";
import { DomainError, isDomainError, malformed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import type { VisitorContext } from "#lib/services/context.ts";
import { mailSettingsOf } from "#lib/services/mail/settings.ts";
import { newAccessLink } from "./access-link.ts";
import { EMAIL_RULE, normalizeEmail } from "./email.ts";

const RESET_MS = 30 * 60_000;
/** Every answer takes this long, so that its time says nothing about the address. */
const ANSWER_AFTER_MS = 1_000;
/** Messages of one user within half an hour. They stay valid together, so strangers cannot use up the user's own. */
const OPEN_LINKS = 3;
const PER_SOURCE = 20;
/** Users of one address, at most one per reseller. */
const MAX_USERS = 10;
const NOBODY = 0 as UserId;

/**
 * Puts a message with a link into the outbox for each user of the address. The answer and its time are the same without
 * any, for one with `OPEN_LINKS` open links, and when a message cannot be stored.
 * @returns whether messages with links are sent here: that takes a mail server and ENCRYPTION_KEY
 * @throws DomainError `parameters_invalid` for what is no address at all; `rate_limited` and `unavailable` (read-only),
 *   whatever the address
 */
export async function requestPasswordReset(
  ctx: VisitorContext,
  input: { readonly email: string; readonly address: string },
  answerAfterMs = ANSWER_AFTER_MS,
): Promise<{ readonly sendsLinks: boolean }> {
  const email = normalizeEmail(input.email);
  if (email === null) throw malformed("email", EMAIL_RULE);
  const nowMs = ctx.now().getTime();
  const { allowed, retryAfterSeconds } = await ctx.mailLimiter.take(rateLimitSource(input.address), PER_SOURCE, nowMs);
  if (!allowed) {
    const wait = countText(Math.ceil(retryAfterSeconds / 60), "minute");
    const message = `Too many messages were requested from your network. Try again in ${wait}.`;
    throw new DomainError("rate_limited", message, { retryAfterSeconds });
  }
  const [result] = await Promise.allSettled([addLinks(ctx, email), sleep(answerAfterMs)]);
  if (result.status === "rejected") throw result.reason;
  return { sendsLinks: ctx.settings.sealingKey !== null && mailSettingsOf(ctx).hasServer };
}

async function addLinks(ctx: VisitorContext, email: string): Promise<void> {
  const users = await listResettableUsers(ctx.db, email);
  // For an unknown address the statement adds nothing, but a read-only database refuses it, too.
  for (const userId of users.length === 0 ? [NOBODY] : users.slice(0, MAX_USERS)) {
    const { stored } = newAccessLink(ctx, "password_reset", RESET_MS);
    // Without a key the link cannot be stored for its message.
    if (stored.secret === null) return;
    const link = { ...stored, secret: stored.secret, now: ctx.now(), limit: OPEN_LINKS };
    await insertPasswordResetRow(ctx.db, userId, link).catch(ignoreOutage);
  }
}

/** On a full disk only the message of an existing user fails, and the answer must not say so. The log does. */
function ignoreOutage(error: unknown): void {
  if (isReadOnlyRefusal(error) || !isDomainError(error) || error.code !== "unavailable") throw error;
}
