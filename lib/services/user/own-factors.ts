import { findPassword } from "#lib/db/user/password.ts";
import {
  confirmTotpRow,
  deleteTotp,
  findSecondFactorRows,
  insertTotp,
  replaceRecoveryCodeRows,
  type SecondFactors,
} from "#lib/db/user/second-factor.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { createRecoveryCodes } from "#lib/domain/recovery-code.ts";
import { createTotpSecret, findTotpStep, totpUri } from "#lib/domain/totp.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireOwnUser, userNotFound } from "./manager.ts";
import { openTotp, sealTotp } from "./totp-secret.ts";
import { sessionEnded } from "./write-in-session.ts";

export type { SecondFactors } from "#lib/db/user/second-factor.ts";

/** The session that continues; the user's others end. */
interface OwnSession {
  readonly sessionId: string;
}

export async function getOwnFactors(ctx: ServiceContext): Promise<SecondFactors> {
  const userId = requireOwnUser(ctx);
  return findSecondFactorRows(ctx.db, userId, ctx.settings);
}

/**
 * A new secret for an authenticator app, shown once. It counts after `confirmTotp`.
 * @throws DomainError `state_invalid` (there is one), `unavailable` (no `ENCRYPTION_KEY`).
 */
export async function startTotp(ctx: ServiceContext): Promise<{ readonly secret: string; readonly uri: string }> {
  const userId = requireOwnUser(ctx);
  const user = await findPassword(ctx.db, userId);
  if (!user) throw userNotFound();
  const secret = createTotpSecret(ctx.randomBytes);
  if (await insertTotp(ctx.db, userId, sealTotp(ctx, userId, secret), ctx.now())) {
    return { secret, uri: totpUri(secret, user.email) };
  }
  throw new DomainError("state_invalid", "You already have an authenticator app. Remove it first.");
}

/**
 * Turns the authenticator app on. Returns recovery codes, shown once, if the user has none yet. Ends the user's other sessions.
 * @param input.secret the one that the user was shown
 * @throws DomainError `parameters_invalid` (a wrong code), `state_invalid` (another secret was shown since, or this one is
 *   confirmed already; or the session has ended).
 */
export async function confirmTotp(
  ctx: ServiceContext,
  input: OwnSession & { readonly secret: string; readonly code: string },
  isRepeated = false,
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const userId = requireOwnUser(ctx);
  const totp = await openTotp(ctx, userId);
  if (totp === null) throw new DomainError("state_invalid", "This key is not valid any more. Set up the app again.");
  if (totp.secret !== input.secret) throw keyReplaced();
  if (totp.isConfirmed) {
    throw new DomainError("state_invalid", "This key is turned on already. Reload the page, and save recovery codes.");
  }
  const step = findTotpStep(totp.secret, input.code.replaceAll(/\s/g, ""), ctx.now());
  if (step === null)
    throw malformed("code", "does not match. Check that the phone's clock is right, and enter the newest code");
  const recoveryCodes = createRecoveryCodes(ctx.randomBytes);
  const change = { sessionId: input.sessionId, by: changedBy(ctx) };
  const confirmed = await confirmTotpRow(ctx.db, userId, { secret: totp.sealed, step, recoveryCodes }, change);
  if (confirmed) return { recoveryCodes: confirmed.hasNewCodes ? recoveryCodes : [] };
  if (isRepeated) throw sessionEnded();
  // Another request was faster: what it left decides.
  return confirmTotp(ctx, input, true);
}

function keyReplaced(): DomainError {
  return new DomainError(
    "state_invalid",
    "Another key was shown since, such as in another tab, so this one is not valid any more. Delete its entry from the " +
      "authenticator app. Then use the newer key, or set up the app again.",
  );
}

/**
 * Removes the authenticator app, and with the last factor the recovery codes. Ends the user's other sessions.
 * @throws DomainError `state_invalid` (the last required one; the session has ended)
 */
export async function removeTotp(ctx: ServiceContext, { sessionId }: OwnSession): Promise<void> {
  const userId = requireOwnUser(ctx);
  const { adminsNeedFactor } = ctx.settings;
  if (await deleteTotp(ctx.db, userId, { sessionId, by: changedBy(ctx), adminsNeedFactor })) return;
  const { totpSince } = await requireOtherFactor(ctx, userId);
  if (totpSince !== null) throw sessionEnded();
}

/** New recovery codes, shown once; the old ones end. @throws DomainError `state_invalid` (no second factor; the session has ended). */
export async function replaceRecoveryCodes(
  ctx: ServiceContext,
  { sessionId }: OwnSession,
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const userId = requireOwnUser(ctx);
  const recoveryCodes = createRecoveryCodes(ctx.randomBytes);
  const change = { sessionId, by: changedBy(ctx) };
  if (await replaceRecoveryCodeRows(ctx.db, userId, recoveryCodes, change)) return { recoveryCodes };
  const message = "Recovery codes replace a second factor. You have none, or your session has ended.";
  throw new DomainError("state_invalid", message);
}

/** Explains a factor that was not removed. @throws DomainError `state_invalid` if the user has one factor and must have one. */
export async function requireOtherFactor({ db, settings }: ServiceContext, userId: UserId): Promise<SecondFactors> {
  const factors = await findSecondFactorRows(db, userId, settings);
  if (!factors.isRequired || factors.passkeys + (factors.totpSince === null ? 0 : 1) !== 1) return factors;
  throw new DomainError("state_invalid", "Two-step sign-in is required for you. Add another passkey or app first.");
}
