import { setUserDisabledRow } from "#lib/db/user/user.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireAccessManager, requireOtherUser, userNotFound } from "./manager.ts";

/**
 * Disables a user and ends their sessions, or enables a user. Idempotent.
 * @throws DomainError `not_found`, `state_invalid` (oneself, or the last admin).
 */
export async function setUserDisabled(
  ctx: ServiceContext,
  input: { readonly userId: UserId; readonly disabled: boolean },
): Promise<void> {
  const own = requireAccessManager(ctx);
  const { userId, disabled } = input;
  if (disabled) requireOtherUser(ctx, userId, "You cannot disable yourself. Ask another admin.");
  const outcome = await setUserDisabledRow(writesOf(ctx), own, userId, { disabled, by: changedBy(ctx) });
  if (outcome === "missing") throw userNotFound();
  if (outcome === "last_admin") throw new DomainError("state_invalid", "The last admin cannot be disabled.");
}
