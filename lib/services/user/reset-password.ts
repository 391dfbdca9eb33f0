import { forgiveAttempt } from "#lib/db/sign-in-attempt.ts";
import { resetPasswordRow } from "#lib/db/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { noSuchUser, refuseSelf, requireUserManager } from "./manager.ts";
import { newOneTimePassword } from "./password.ts";

/**
 * Gives a user a password for one sign-in, shown this once; the old one and all of their sessions end. Whoever had
 * mistyped too often can sign in with it at once.
 * @throws DomainError `permission_denied`, `not_found` (also: disabled), `state_invalid` (oneself).
 */
export async function resetUserPassword(
  ctx: ServiceContext,
  input: { readonly userId: UserId },
): Promise<{ readonly email: string; readonly oneTimePassword: string; readonly until: Date }> {
  const own = requireUserManager(ctx);
  refuseSelf(ctx, input.userId, "Change your own password in the settings.");
  const { oneTimePassword, passwordHash, until } = await newOneTimePassword(ctx);
  const changed = await resetPasswordRow(ctx.db, own, input.userId, { passwordHash, until, by: changedBy(ctx) });
  if (!changed) throw noSuchUser();
  await forgiveAttempt(ctx.db, "account", changed.email, "all");
  return { email: changed.email, oneTimePassword, until };
}
