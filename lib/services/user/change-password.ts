import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { findPassword, updateOwnPassword } from "#lib/db/user/password.ts";
import { DomainError, invalidParameters } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireOwnUser, userNotFound } from "./manager.ts";
import { findPasswordProblem, hashPassword } from "./password.ts";
import { isOwnPassword } from "./prove-identity.ts";

/**
 * Changes the actor's own password, given the old one, and ends their other sessions. Guesses are delayed as at
 * sign-in.
 * @throws DomainError `parameters_invalid`, `unavailable` (too many guesses at once), `conflict` (changed meanwhile).
 */
export async function changeOwnPassword(
  ctx: ServiceContext,
  input: {
    readonly currentPassword: string;
    readonly newPassword: string;
    /** This session continues. */
    readonly sessionId: string;
  },
): Promise<void> {
  const userId = requireOwnUser(ctx);
  const { currentPassword, newPassword, sessionId } = input;
  const user = await findPassword(ctx.db, userId);
  if (!user) throw userNotFound();
  const problem = await findPasswordProblem("new_password", newPassword, user.email);
  if (problem) throw invalidParameters([problem]);
  if (newPassword === currentPassword) {
    throw invalidParameters([{ field: "new_password", kind: "malformed", message: "must be a different one" }]);
  }
  if (!(await isOwnPassword(ctx, userId, { passwordHash: user.passwordHash, password: currentPassword }))) {
    throw invalidParameters([{ field: "current_password", kind: "malformed", message: "is not right" }]);
  }
  const change = {
    oldHash: user.passwordHash,
    newHash: await hashPassword(newPassword, user.passwordHash),
    sessionId,
    by: changedBy(ctx),
  };
  if (await updateOwnPassword(ctx.db, userId, change).catch(rejectSharedPassword)) return;
  throw new DomainError("conflict", "Your password was changed meanwhile. Sign in again.");
}

/**
 * Email address and password identify a user, so users with the same address at different resellers need different
 * passwords.
 */
function rejectSharedPassword(error: unknown): never {
  if (findSqlState(error) !== sqlState.uniqueViolation) throw error;
  throw invalidParameters([{ field: "new_password", kind: "malformed", message: "must be a different one" }]);
}
