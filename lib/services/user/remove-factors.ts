import { deleteFactors } from "#lib/db/user/second-factor.ts";
import { listSignInCandidates } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { normalizeEmail } from "./email.ts";
import { userNotFound } from "./manager.ts";

/**
 * Removes all second factors of the users with this email address and ends their sessions: the way back when phone and
 * recovery codes are lost.
 * @throws DomainError `not_found`
 */
export async function removeUserFactors(
  ctx: ServiceContext,
  input: { readonly email: string },
): Promise<{ readonly users: readonly { readonly userId: UserId; readonly removed: boolean }[] }> {
  requireAdmin(ctx, "admins:write");
  const email = normalizeEmail(input.email);
  const found = email === null ? [] : await listSignInCandidates(ctx.db, email);
  if (found.length === 0) throw userNotFound();
  const by = changedBy(ctx);
  const remove = async ({ id }: { readonly id: UserId }) => ({
    userId: id,
    removed: await deleteFactors(writesOf(ctx), id, by),
  });
  return { users: await Promise.all(found.map(remove)) };
}
