import { deleteFactors } from "#lib/db/user/second-factor.ts";
import { listSignInCandidates } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { normalizeEmail } from "./email.ts";
import { requireManageable, requireOtherUser, requirePasswordManager, userNotFound } from "./manager.ts";

/**
 * Removes all second factors of a user, or of the users with an email address, ends their sessions and sends each a
 * message: the way back when phone and recovery codes are lost.
 * @throws DomainError `not_found`, `state_invalid` (oneself).
 */
export async function removeUserFactors(
  ctx: ServiceContext,
  input: { readonly userId: UserId } | { readonly email: string },
): Promise<{ readonly users: readonly { readonly userId: UserId; readonly removed: boolean }[] }> {
  const own = requirePasswordManager(ctx);
  const userIds = "userId" in input ? [input.userId] : await findByEmail(ctx, input.email);
  for (const userId of userIds) {
    requireOtherUser(ctx, userId, "Remove your own second factors under Account.");
    await requireManageable(ctx, own, userId);
  }
  const by = changedBy(ctx);
  const remove = async (userId: UserId) => ({ userId, removed: await deleteFactors(writesOf(ctx), userId, by) });
  return { users: await Promise.all(userIds.map(remove)) };
}

async function findByEmail(ctx: ServiceContext, typed: string): Promise<UserId[]> {
  const email = normalizeEmail(typed);
  const found = email === null ? [] : await listSignInCandidates(ctx.db, email);
  if (found.length === 0) throw userNotFound();
  return found.map(({ id }) => id);
}
