import { findPassword, resetPasswordRow } from "#lib/db/user/password.ts";
import { forgiveAccount } from "#lib/db/user/sign-in-attempt.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireManageable, requireOtherUser, requirePasswordManager, userNotFound } from "./manager.ts";
import { newOneTimePassword } from "./password.ts";
import { writeInSession } from "./write-in-session.ts";

/**
 * Gives a user a one-time password, shown once. Ends the old one and all of their sessions, and clears failed attempts
 * unless the email address has other users.
 * @throws DomainError `not_found` (also: disabled), `state_invalid` (oneself).
 */
export async function resetUserPassword(
  ctx: ServiceContext,
  input: { readonly userId: UserId },
): Promise<{ readonly email: string; readonly oneTimePassword: string; readonly until: Date }> {
  const own = requirePasswordManager(ctx);
  requireOtherUser(ctx, input.userId, "Change your own password in the settings.");
  await requireManageable(ctx, own, input.userId);
  const user = await findPassword(ctx.db, input.userId);
  if (!user) throw userNotFound();
  const { oneTimePassword, passwordHash, until } = await newOneTimePassword(ctx, user.email);
  const change = { passwordHash, until, by: changedBy(ctx) };
  const { userId } = input;
  const changed = await writeInSession(ctx, (db) => resetPasswordRow(db, own, userId, change), [userId]);
  if (!changed) throw userNotFound();
  await forgiveAccount(writesOf(ctx), changed.email);
  return { email: changed.email, oneTimePassword, until };
}
