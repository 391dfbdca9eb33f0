import { deleteIdentities } from "#lib/db/user/identity.ts";
import { listSignInCandidates } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { normalizeEmail } from "./email.ts";
import { userNotFound } from "./manager.ts";

/**
 * Forgets the accounts at issuers of the users with this email address and ends their sessions: after an account was
 * replaced there.
 * @throws DomainError `not_found`
 */
export async function disconnectIssuer(
  ctx: ServiceContext,
  input: { readonly email: string },
): Promise<{ readonly users: readonly { readonly userId: UserId; readonly disconnected: boolean }[] }> {
  requireAdmin(ctx, "admins:write");
  const email = normalizeEmail(input.email);
  const found = email === null ? [] : await listSignInCandidates(ctx.db, email);
  if (found.length === 0) throw userNotFound();
  const by = changedBy(ctx);
  const disconnect = async ({ id }: { readonly id: UserId }) => ({
    userId: id,
    disconnected: await deleteIdentities(writesOf(ctx), id, by),
  });
  return { users: await Promise.all(found.map(disconnect)) };
}
