import { findIdentityOwner } from "#lib/db/user/identity.ts";
import { recordRefusal } from "#lib/db/user/second-factor.ts";
import { proveSession } from "#lib/db/user/session.ts";
import type { SignInIssuer } from "#lib/ports/sign-in-issuer.ts";
import type { FactorContext } from "./check-second-factor.ts";
import { findExpectedProof, type ProvingUser } from "./prove-identity.ts";
import { explainFailure } from "./sign-in.ts";
import { type IssuerAnswer, type IssuerFailure, readAnswer } from "./sign-in-at-issuer.ts";

export interface IssuerProof extends IssuerAnswer {
  /** When the user was sent to the issuer, which must have asked for their credentials since. */
  readonly startedAt: Date;
  /** The visitor's. */
  readonly address: string;
}

/** Records that the session's user has signed in at the issuer again. The session gets a new id, as by any proof. */
export async function proveAtIssuer(
  parts: FactorContext,
  issuer: SignInIssuer,
  user: ProvingUser & { readonly sessionId: string },
  proof: IssuerProof,
): Promise<IssuerFailure | { readonly kind: "proven"; readonly sessionId: string }> {
  const { db, now } = parts;
  const { userId, sessionId } = user;
  try {
    const maxAgeSeconds = Math.max(0, Math.ceil((now().getTime() - proof.startedAt.getTime()) / 1_000));
    const reply = await readAnswer(parts, issuer, { ...proof, maxAgeSeconds });
    if (reply.kind !== "account") return reply;
    const owner = await findIdentityOwner(db, reply.account);
    const { method } = await findExpectedProof(parts, user);
    if (owner?.id !== userId || method !== "issuer") {
      await recordRefusal(db, userId, {
        factor: "issuer",
        address: proof.address,
        why: "another account, or a factor",
      });
      return { kind: "refused" };
    }
    const newSessionId = await proveSession(db, sessionId);
    return newSessionId === null ? { kind: "expired" } : { kind: "proven", sessionId: newSessionId };
  } catch (error) {
    return explainFailure(error);
  }
}
