import { inviteAgainRow } from "#lib/db/user/access-link.ts";
import { findPassword } from "#lib/db/user/password.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { newInvitation } from "./invitation.ts";
import { requireManageable, requireUserManager, userNotFound } from "./manager.ts";
import { writeInSession } from "./write-in-session.ts";

/**
 * Sends a user who has never signed in a new link; earlier ones end. Not for users who have a history: an owner could
 * otherwise sign in as another user (docs/decisions/0030). Without a mail server, the link is returned once.
 * @throws DomainError `not_found`, `state_invalid` (disabled, or has signed in or chosen a password), `rate_limited`.
 */
export async function inviteUserAgain(
  ctx: ServiceContext,
  input: { readonly userId: UserId },
): Promise<{ readonly email: string; readonly invitationUrl: string | null; readonly until: Date }> {
  const own = requireUserManager(ctx, "write");
  const { userId } = input;
  await requireManageable(ctx, own, userId);
  const user = await findPassword(ctx.db, userId);
  if (!user) throw userNotFound();
  const { passwordHash, stored: invitation, url } = await newInvitation(ctx, user.email);
  const { until } = invitation;
  const change = { passwordHash, until, invitation, by: changedBy(ctx) };
  const isInvited = await writeInSession(ctx, (db) => inviteAgainRow(db, own, userId, change), [userId]);
  if (isInvited) return { email: user.email, invitationUrl: url, until };
  throw new DomainError("state_invalid", "Only users who have never signed in can be invited again.");
}
