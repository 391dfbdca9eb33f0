import { countAttempt, forgiveAttempt } from "#lib/db/sign-in-attempt.ts";
import { findPassword, updateOwnPassword } from "#lib/db/user.ts";
import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { noSuchUser, requireOwnUser } from "./manager.ts";
import { findPasswordProblem, hashPassword, passwordMatches } from "./password.ts";

/**
 * Changes the actor's own password, for which it needs the old one, and ends their other sessions. Guesses count as
 * they do at signing in.
 * @throws DomainError `permission_denied`, `parameters_invalid`, `state_invalid` (too many guesses), `conflict` (changed
 *   meanwhile).
 */
export async function changeOwnPassword(
  ctx: ServiceContext,
  input: {
    readonly currentPassword: string;
    readonly newPassword: string;
    /** Goes on. */
    readonly sessionId: string;
  },
): Promise<void> {
  const userId = requireOwnUser(ctx);
  const { currentPassword, newPassword, sessionId } = input;
  const user = await findPassword(ctx.db, userId);
  if (!user) throw noSuchUser();
  const problem = findPasswordProblem("new_password", newPassword, user.email);
  if (problem) throw invalidParameters([problem]);
  if (newPassword === currentPassword) {
    throw invalidParameters([{ field: "new_password", kind: "malformed", message: "must be another one" }]);
  }
  if ((await countAttempt(ctx.db, "account", user.email, ctx.now())) > 0) {
    throw new DomainError("state_invalid", "Too many wrong passwords. Wait a few minutes, then try again.");
  }
  if (!(await passwordMatches(user.passwordHash, currentPassword))) {
    throw invalidParameters([{ field: "current_password", kind: "malformed", message: "is not right" }]);
  }
  await forgiveAttempt(ctx.db, "account", user.email, "all");
  const change = {
    oldHash: user.passwordHash,
    newHash: await hashPassword(newPassword),
    sessionId,
    by: changedBy(ctx),
  };
  if (await updateOwnPassword(ctx.db, userId, change)) return;
  throw new DomainError("conflict", "Your password was changed meanwhile. Sign in again.");
}
