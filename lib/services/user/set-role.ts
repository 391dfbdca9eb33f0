import { setUserRoleRow } from "#lib/db/user/user.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { adminRoleNames, type Role, resellerRoleNames } from "#lib/domain/roles.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireManageable, requireOtherUser, requireUserManager, userNotFound } from "./manager.ts";

/**
 * Changes another user's role, from their next request on. Idempotent.
 * @throws DomainError `not_found`, `parameters_invalid`, `state_invalid` (oneself, or the last owner)
 */
export async function setUserRole(
  ctx: ServiceContext,
  input: { readonly userId: UserId; readonly role: string },
): Promise<void> {
  const own = requireUserManager(ctx, "write");
  const { userId } = input;
  requireOtherUser(ctx, userId, "You cannot change your own role. Ask another owner.");
  const role = readRole(input.role, await requireManageable(ctx, own, userId));
  const outcome = await setUserRoleRow(writesOf(ctx), own, userId, { role, by: changedBy(ctx) });
  if (outcome === "missing") throw userNotFound();
  if (outcome === "last_owner") throw lastOwner();
}

/** @throws DomainError `parameters_invalid` */
export function readRole(text: string, kind: "admin" | "reseller"): Role {
  const role = (kind === "admin" ? adminRoleNames : resellerRoleNames).find((name) => name === text);
  if (role) return role;
  throw malformed("role", "must be a role of the list");
}

export function lastOwner(): DomainError {
  return new DomainError("state_invalid", "This is the last owner. Make another user an owner first.");
}
