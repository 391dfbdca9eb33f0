import { setUserDisabledRow } from "#lib/db/user/user.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireManageable, requireOtherUser, requireUserManager, userNotFound } from "./manager.ts";
import { lastOwner } from "./set-role.ts";

/**
 * Disables a user and ends their sessions, or enables a user. Idempotent.
 * @throws DomainError `not_found`, `state_invalid` (oneself, or the last owner).
 */
export async function setUserDisabled(
  ctx: ServiceContext,
  input: { readonly userId: UserId; readonly disabled: boolean },
): Promise<void> {
  const own = requireUserManager(ctx, "write");
  const { userId, disabled } = input;
  if (disabled) requireOtherUser(ctx, userId, "You cannot disable yourself. Ask another owner or admin.");
  await requireManageable(ctx, own, userId);
  const outcome = await setUserDisabledRow(writesOf(ctx), own, userId, { disabled, by: changedBy(ctx) });
  if (outcome === "missing") throw userNotFound();
  if (outcome === "last_owner") throw lastOwner();
}
