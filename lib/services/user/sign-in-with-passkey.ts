import { findPendingSignIn, takePendingSignIn } from "#lib/db/user/pending-sign-in.ts";
import { checkPasskey, type PasskeySite } from "./check-passkey.ts";
import type { FactorContext } from "./check-second-factor.ts";
import {
  explainFailure,
  findDevice,
  openSession,
  type SessionLimits,
  type SignInInput,
  type SignInResult,
} from "./sign-in.ts";
import { signInGate } from "./sign-in-gate.ts";

export interface PasskeySignInInput extends Pick<SignInInput, "address" | "userAgent" | "findDevices"> {
  readonly site: PasskeySite;
  /** The browser's answer as JSON. */
  readonly assertion: string;
  /** Of a right password, whose user's passkey it must be; null: the passkey alone. */
  readonly token: string | null;
}

/** Opens a session for the owner of a passkey that has verified its user: what one has and what one knows or is. */
export async function signInWithPasskey(
  parts: FactorContext,
  input: PasskeySignInInput,
  limits: SessionLimits,
  gate = signInGate,
): Promise<SignInResult> {
  const { db } = parts;
  const { token, site, assertion, address } = input;
  try {
    const pending = token === null ? null : await findPendingSignIn(db, token);
    if (token !== null && !pending) return { kind: "expired" };
    const attempt = { site, purpose: "sign-in", assertion, address, userId: pending?.userId ?? null } as const;
    const owner = await checkPasskey(parts, attempt, gate);
    if (!owner?.maySignIn) return { kind: "refused" };
    if (token !== null && !(await takePendingSignIn(db, token))) return { kind: "expired" };
    const { userId: id, email, name } = owner;
    const visitor = {
      ...input,
      device: findDevice(input, { id, email }),
      factor: { kind: "passkey", id: owner.passkeyId } as const,
      identity: pending?.identity ?? null,
      provenAt: null,
    };
    return await openSession(db, { id, email, name, passwordHash: pending?.passwordHash ?? null }, visitor, limits);
  } catch (error) {
    return explainFailure(error);
  }
}
