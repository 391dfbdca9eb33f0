import type { Database } from "#lib/db/connection/client.ts";
import { findPassword } from "#lib/db/user/password.ts";
import {
  confirmTotpRow,
  deleteTotp,
  type FactorRemoval,
  findSecondFactorRows,
  insertTotp,
  replaceRecoveryCodeRows,
  type SecondFactors,
} from "#lib/db/user/second-factor.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import { createRecoveryCodes } from "#lib/domain/recovery-code.ts";
import { createTotpSecret, findTotpStep, totpUri } from "#lib/domain/totp.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireOwnUser, userNotFound } from "./manager.ts";
import { openTotp, sealTotp } from "./totp-secret.ts";
import { writeInSession } from "./write-in-session.ts";

export type { SecondFactors } from "#lib/db/user/second-factor.ts";

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
  input: { readonly secret: string; readonly code: string },
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
  const change = { sessionId: ctx.sessionId, by: changedBy(ctx) };
  const confirmed = await writeInSession(ctx, (db) =>
    confirmTotpRow(db, userId, { secret: totp.sealed, step, recoveryCodes }, change),
  );
  // Null: another request was faster, and what it left decides.
  return confirmed ? { recoveryCodes: confirmed.hasNewCodes ? recoveryCodes : [] } : confirmTotp(ctx, input);
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
export async function removeTotp(ctx: ServiceContext): Promise<void> {
  const userId = requireOwnUser(ctx);
  await removeOwnFactor(
    ctx,
    (db, removal) => deleteTotp(db, userId, removal),
    async () => (await findSecondFactorRows(ctx.db, userId)).totpSince !== null,
  );
}

/** New recovery codes, shown once; the old ones end. @throws DomainError `state_invalid` (no second factor; the session has ended). */
export async function replaceRecoveryCodes(
  ctx: ServiceContext,
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const userId = requireOwnUser(ctx);
  const recoveryCodes = createRecoveryCodes(ctx.randomBytes);
  const by = changedBy(ctx);
  if (await writeInSession(ctx, (db) => replaceRecoveryCodeRows(db, userId, recoveryCodes, by)))
    return { recoveryCodes };
  throw new DomainError("state_invalid", "Recovery codes replace a second factor. You have none.");
}

/** Removes a factor, unless someone else does, which ends the session. `remains`: whether it is still there. */
export async function removeOwnFactor(
  ctx: ServiceContext,
  remove: (db: Database, removal: FactorRemoval) => Promise<boolean>,
  remains: () => Promise<boolean>,
): Promise<void> {
  const { sessionId, settings } = ctx;
  const removal = { sessionId, by: changedBy(ctx), adminsNeedFactor: settings.adminsNeedFactor };
  const failure = await writeInSession(ctx, (db) => remove(db, removal)).then(
    (isRemoved) => (isRemoved ? null : lastFactor()),
    (error: unknown) => error,
  );
  if (failure !== null && (await remains())) throw failure;
}

function lastFactor(): DomainError {
  return new DomainError("state_invalid", "Two-step sign-in is required for you. Add another passkey or app first.");
}
