import { findOpenLink, redeemAccessLinkRow } from "#lib/db/user/access-link.ts";
import { forgiveAccount } from "#lib/db/user/sign-in-attempt.ts";
import { DomainError, requireWellFormed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { requestName, type VisitorContext } from "#lib/services/context.ts";
import { hashToken } from "./access-link.ts";
import { choosePassword, differentPassword, rejectSharedPassword } from "./choose-password.ts";
import { findPasswordProblem, hashPassword } from "./password.ts";

export interface LinkOwner {
  readonly userId: UserId;
  readonly kind: "invitation" | "password_reset";
  readonly email: string;
  readonly name: string;
}

/** Whose link it is; null if it is used, void or over. */
export async function findAccessLink(
  ctx: VisitorContext,
  input: { readonly token: string },
): Promise<LinkOwner | null> {
  const found = await findOpenLink(ctx.db, hashToken(input.token), ctx.now());
  return found && { userId: found.userId, kind: found.kind, email: found.email, name: found.name };
}

/**
 * Sets the password of the link's user. The link is the permission: it works once, and for nothing else.
 * @throws DomainError `not_found` (used, void or over), `parameters_invalid`, `unavailable` (too many at once).
 */
export async function redeemAccessLink(
  ctx: VisitorContext,
  input: { readonly token: string; readonly newPassword: string },
): Promise<{ readonly email: string; readonly userId: UserId }> {
  const tokenHash = hashToken(input.token);
  const link = await findOpenLink(ctx.db, tokenHash, ctx.now());
  if (!link) throw linkIsOver();
  requireWellFormed({ new_password: await findPasswordProblem(input.newPassword, link.email) });
  const isDone = await choosePassword(ctx, link.userId, async () => {
    const newHash = await hashPassword(input.newPassword, link.passwordHash);
    if (newHash === link.passwordHash) throw differentPassword();
    const change = { newHash, now: ctx.now(), requestId: requestName(ctx) };
    return redeemAccessLinkRow(ctx.db, tokenHash, change).catch(rejectSharedPassword);
  });
  if (!isDone) throw linkIsOver();
  await forgiveAccount(ctx.db, link.email);
  return { email: link.email, userId: link.userId };
}

function linkIsOver(): DomainError {
  return new DomainError("not_found", "This link was used already, or its time is over. Ask for a new one.");
}
