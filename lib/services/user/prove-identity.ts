import { findPassword } from "#lib/db/user/password.ts";
import { findSecondFactorRows } from "#lib/db/user/second-factor.ts";
import { proveSession } from "#lib/db/user/session.ts";
import { malformed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { checkPasskey, type PasskeySite } from "./check-passkey.ts";
import { checkSecondFactor, type FactorContext } from "./check-second-factor.ts";
import { userNotFound } from "./manager.ts";
import { passwordMatches } from "./password.ts";
import { checkPassword, signInGate } from "./sign-in-gate.ts";

export type ProofMethod = "password" | "totp" | "recovery" | "passkey";

export interface Proof {
  readonly method: ProofMethod;
  /** The password, the code, or the browser's answer as JSON. */
  readonly secret: string;
}

interface GivenProof extends Proof {
  /** The visitor's. */
  readonly address: string;
  /** Null: passkeys are not possible here. */
  readonly site: PasskeySite | null;
}

export interface ProvingUser {
  readonly userId: UserId;
  /** Where the user signed in; null: here, or there is no issuer any more. */
  readonly issuer: string | null;
}

interface SessionUser extends ProvingUser {
  readonly sessionId: string;
}

/** What the user has to give: a second factor, or without one what they signed in with. */
export interface ExpectedProof {
  readonly method: "password" | "issuer" | "totp" | "passkey";
  readonly hasPasskey: boolean;
}

export async function findExpectedProof(
  parts: Pick<FactorContext, "db">,
  { userId, issuer }: ProvingUser,
): Promise<ExpectedProof> {
  const { totpSince, passkeys } = await findSecondFactorRows(parts.db, userId);
  const hasPasskey = passkeys > 0;
  if (totpSince !== null) return { method: "totp", hasPasskey };
  if (hasPasskey) return { method: "passkey", hasPasskey };
  return { method: issuer === null ? "password" : "issuer", hasPasskey };
}

/**
 * Records that the session's user has proved again who they are, for sensitive actions. Returns the session's new id:
 * a copied cookie has the old one and does not share the proof. Null: the session has ended meanwhile. Guesses are
 * delayed and bounded.
 * @throws DomainError `parameters_invalid` (wrong), `unavailable`, `rate_limited`.
 */
export async function proveIdentity(
  parts: FactorContext,
  user: SessionUser,
  given: GivenProof,
  gate = signInGate,
): Promise<string | null> {
  const isRight = (await isExpected(parts, user, given)) && (await isProof(parts, user, given, gate));
  if (!isRight) throw malformed("secret", "is not right");
  return proveSession(parts.db, user.sessionId);
}

/** A password proves nothing of a user with a second factor, or who signed in at the issuer (`prove-at-issuer.ts`). */
async function isExpected(parts: FactorContext, user: SessionUser, { method }: Proof): Promise<boolean> {
  const expected = await findExpectedProof(parts, user);
  if (expected.method === "issuer") return false;
  return (method === "password") === (expected.method === "password");
}

async function isProof(
  parts: FactorContext,
  { userId, sessionId }: SessionUser,
  { method, secret, address, site }: GivenProof,
  gate: typeof signInGate,
): Promise<boolean> {
  if (method === "passkey") {
    const attempt = { purpose: `prove:${userId}`, assertion: secret, address, userId } as const;
    return site !== null && (await checkPasskey(parts, { ...attempt, site }, gate)) !== null;
  }
  if (method !== "password") {
    return checkSecondFactor(parts, { userId, method, code: secret, address, device: `session:${sessionId}` }, gate);
  }
  const user = await findPassword(parts.db, userId);
  if (!user) throw userNotFound();
  return isOwnPassword(parts, userId, { passwordHash: user.passwordHash, password: secret }, gate);
}

/** Whether a signed-in user gave their current password. Guesses are delayed as at sign-in. @throws `unavailable` */
export async function isOwnPassword(
  { db }: Pick<FactorContext, "db">,
  userId: UserId,
  { passwordHash, password }: { readonly passwordHash: string; readonly password: string },
  gate = signInGate,
): Promise<boolean> {
  const name = String(userId);
  const attempt = { account: name, source: name, subjects: [{ kind: "user", name }] } as const;
  const isRight = await checkPassword(db, gate.known, attempt, async () =>
    (await passwordMatches(passwordHash, password)) ? true : null,
  );
  return isRight === true;
}
