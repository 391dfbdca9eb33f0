import { findPassword, updateOwnPassword } from "#lib/db/user/password.ts";
import { DomainError, requireWellFormed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { choosePassword, rejectSharedPassword } from "./choose-password.ts";
import { requireOwnUser, userNotFound } from "./manager.ts";
import { endOtherSessions } from "./own-sessions.ts";
import { findPasswordProblem, hashPassword, passwordMatches } from "./password.ts";
import { isOwnPassword } from "./prove-identity.ts";
import { writeInSession } from "./write-in-session.ts";

/**
 * Changes the actor's own password, given the old one, and ends their other sessions. Guesses are delayed as at
 * sign-in, and so are the choices of one user (`choose-password.ts`). A one-time password was given at sign-in, which its
 * session can do nothing else after; or a passkey was, which lets its user in after the password's end, too. Repeating a
 * change whose answer was lost succeeds: the new password is then the current one, and checked as a guess of it.
 * @throws DomainError `parameters_invalid`, `unavailable` (too many guesses at once), `conflict` (changed meanwhile).
 */
export async function changeOwnPassword(
  ctx: ServiceContext,
  input: {
    /** Null: a one-time password is replaced. */
    readonly currentPassword: string | null;
    readonly newPassword: string;
  },
): Promise<void> {
  const userId = requireOwnUser(ctx);
  const { currentPassword, newPassword } = input;
  const user = await findPassword(ctx.db, userId);
  if (!user) throw userNotFound();
  const { passwordHash, oneTimePasswordUntil } = user;
  const isRight =
    currentPassword === null
      ? oneTimePasswordUntil !== null
      : await isOwnPassword(ctx, userId, { passwordHash, password: currentPassword });
  if (!isRight && (await isOwnPassword(ctx, userId, { passwordHash, password: newPassword }))) {
    // As the user is told, also if there was no earlier attempt.
    await endOtherSessions(ctx);
    return;
  }
  const problem = await findPasswordProblem(newPassword, user.email);
  const isSame = isRight && (await passwordMatches(passwordHash, newPassword));
  requireWellFormed({
    current_password: !isRight && "is not right",
    new_password: problem ?? (isSame && "must be a different one"),
  });
  const oldHash = passwordHash;
  const isChanged = await choosePassword(ctx, userId, async () => {
    const newHash = await hashPassword(newPassword, oldHash);
    const change = { oldHash, newHash, sessionId: ctx.sessionId, by: changedBy(ctx) };
    return writeInSession(ctx, (db) => updateOwnPassword(db, userId, change)).catch(rejectSharedPassword);
  });
  if (isChanged || (await isChangedTo(ctx, userId, newPassword))) return;
  throw new DomainError("conflict", "Your password was changed meanwhile. Sign in again.");
}

/** By the same change, sent again while the first was running. */
async function isChangedTo({ db }: ServiceContext, userId: UserId, newPassword: string): Promise<boolean> {
  const user = await findPassword(db, userId);
  return user !== null && passwordMatches(user.passwordHash, newPassword);
}
