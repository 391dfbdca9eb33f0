import { findPendingSignIn, takePendingSignIn } from "#lib/db/user/pending-sign-in.ts";
import { checkSecondFactor, type FactorContext, type GivenCode } from "./check-second-factor.ts";
import {
  explainFailure,
  findDevice,
  openSession,
  type SessionLimits,
  type SignInInput,
  type SignInResult,
} from "./sign-in.ts";
import { signInGate } from "./sign-in-gate.ts";

export interface FinishSignInInput extends GivenCode, Pick<SignInInput, "address" | "userAgent" | "findDevices"> {
  /** From `signIn`, kept by the browser. */
  readonly token: string;
}

/** Opens the session that a right password or the issuer has begun, if the code is right, too. */
export async function finishSignIn(
  parts: FactorContext,
  input: FinishSignInInput,
  limits: SessionLimits,
  gate = signInGate,
): Promise<SignInResult> {
  const { db } = parts;
  try {
    const pending = await findPendingSignIn(db, input.token);
    if (!pending) return { kind: "expired" };
    const { userId: id, email, name, identity, passwordHash } = pending;
    const device = findDevice(input, { id, email });
    const { method, code, address } = input;
    if (!(await checkSecondFactor(parts, { userId: id, method, code, address, device }, gate)))
      return { kind: "refused" };
    if (!(await takePendingSignIn(db, input.token))) return { kind: "expired" };
    const visitor = { ...input, device, factor: { kind: method }, identity, provenAt: null };
    return await openSession(db, { id, email, name, passwordHash }, visitor, limits);
  } catch (error) {
    return explainFailure(error);
  }
}
