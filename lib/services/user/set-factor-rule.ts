import { findSecondFactorRows, updateFactorRule } from "#lib/db/user/second-factor.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { noSuchReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireUserManager } from "./manager.ts";

/**
 * Whether the team's users must have a second factor. Users without one can do nothing but set one up.
 * @throws DomainError `not_found` (no reseller), `state_invalid` (the actor's team, and the actor has none)
 */
export async function setFactorRule(ctx: ServiceContext, input: { readonly required: boolean }): Promise<void> {
  const resellerId = requireUserManager(ctx, "write");
  if (resellerId === null) throw noSuchReseller();
  const { actor } = ctx;
  if (input.required && actor.kind === "reseller_user") {
    const { totpSince, passkeys } = await findSecondFactorRows(ctx.db, actor.userId);
    if (totpSince === null && passkeys === 0) {
      throw new DomainError("state_invalid", "Set up two-step sign-in for yourself first, under Account.");
    }
  }
  await updateFactorRule(writesOf(ctx), resellerId, input.required, changedBy(ctx));
}
