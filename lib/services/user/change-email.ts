import { findSqlState, sqlState } from "#lib/db/connection/errors.ts";
import { confirmEmailChangeRow, findOpenEmailChange, requestEmailChangeRow } from "#lib/db/user/email-change.ts";
import { findPassword } from "#lib/db/user/password.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requestName, type ServiceContext, type VisitorContext } from "#lib/services/context.ts";
import { requireMailQuota } from "#lib/services/mail/quota.ts";
import { requireSealingKey } from "#lib/services/provider/credentials.ts";
import { hashToken, newAccessLink } from "./access-link.ts";
import { choosePassword } from "./choose-password.ts";
import { EMAIL_RULE, normalizeEmail } from "./email.ts";
import { requireOwnUser, userNotFound } from "./manager.ts";
import { hashPasswordFor } from "./password.ts";
import { isOwnPassword } from "./prove-identity.ts";
import { writeInSession } from "./write-in-session.ts";

const CONFIRM_MS = 86_400_000;

/**
 * Sends a link to the actor's old and new email address; the address changes once both are confirmed, within a day.
 * Guesses of the password are delayed as at sign-in.
 * @throws DomainError `parameters_invalid`, `unavailable`, `conflict` (the password was changed meanwhile),
 *   `rate_limited`.
 */
export async function requestEmailChange(
  ctx: ServiceContext,
  input: { readonly email: string; readonly currentPassword: string },
): Promise<void> {
  const userId = requireOwnUser(ctx);
  requireSealingKey(ctx.settings.sealingKey);
  const user = await findPassword(ctx.db, userId);
  if (!user) throw userNotFound();
  const newEmail = normalizeEmail(input.email);
  if (newEmail === null) throw malformed("new_email", EMAIL_RULE);
  if (newEmail === user.email) throw malformed("new_email", "must be a different one");
  if (!(await isOwnPassword(ctx, userId, { passwordHash: user.passwordHash, password: input.currentPassword }))) {
    throw malformed("email_password", "is not right");
  }
  await requireMailQuota(ctx, newEmail);
  const links = {
    oldLink: newAccessLink(ctx, "email_change", CONFIRM_MS).stored,
    newLink: newAccessLink(ctx, "email_change_new", CONFIRM_MS).stored,
  };
  // Whether it can be confirmed reveals whether a user of the new address has this password.
  const isRequested = await choosePassword(ctx, userId, async () => {
    const newHash = await hashPasswordFor(ctx.db, newEmail, input.currentPassword);
    const change = { oldHash: user.passwordHash, newEmail, newHash, ...links };
    return writeInSession(ctx, (db) => requestEmailChangeRow(db, userId, change, changedBy(ctx)));
  });
  if (isRequested) return;
  throw new DomainError("conflict", "Your password was changed meanwhile. Sign in again.");
}

export interface EmailChange {
  readonly oldEmail: string;
  readonly newEmail: string;
  /** Which of them got the link. */
  readonly isOld: boolean;
  readonly isConfirmed: boolean;
}

/** The change that a link confirms; null if it is over or void. */
export async function findEmailChange(
  ctx: VisitorContext,
  input: { readonly token: string },
): Promise<EmailChange | null> {
  return findOpenEmailChange(ctx.db, hashToken(input.token), ctx.now());
}

/**
 * Confirms a change for the address that got the link. The link is the permission.
 * @throws DomainError `not_found` (over or void), `conflict` (the address cannot be used).
 */
export async function confirmEmailChange(
  ctx: VisitorContext,
  input: { readonly token: string },
): Promise<{ readonly outcome: "waiting" | "changed" }> {
  const at = { now: ctx.now(), requestId: requestName(ctx) };
  const outcome = await confirmEmailChangeRow(ctx.db, hashToken(input.token), at).catch((error) => {
    if (findSqlState(error) !== sqlState.uniqueViolation) throw error;
    throw new DomainError("conflict", "This address cannot be used: ask for a change to another one.");
  });
  if (outcome === null) throw new DomainError("not_found", "This link no longer works. Ask for a new one.");
  return { outcome };
}
