import { type AuthenticationResponseJSON, verifyAuthenticationResponse } from "@simplewebauthn/server";
import { z } from "zod";
import { advancePasskey, findPasskeyOwner, type PasskeyOwner, takeChallenge } from "#lib/db/user/passkey.ts";
import { recordRefusal } from "#lib/db/user/second-factor.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { type ChallengePurpose, createPasskeyChallenge, findChallengeEnd } from "#lib/domain/passkey-challenge.ts";
import { rateLimitSource } from "#lib/domain/source-address.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import type { FactorContext } from "./check-second-factor.ts";
import { checkPassword, type SignInGate } from "./sign-in-gate.ts";

/** Where passkeys are valid, by the configured URL. */
export interface PasskeySite {
  /** `https://desk.example.com`. */
  readonly origin: string;
  /** `desk.example.com`. */
  readonly rpId: string;
  /** Authenticates challenges. */
  readonly secret: string;
}

const MAX_LENGTH = 8_192;
/** In base64url; empty for a user handle that there is none of. */
const part = z
  .string()
  .max(MAX_LENGTH)
  .regex(/^[\w=-]*$/);
/** What a browser returns. The library checks the contents. */
const assertionSchema = z.object({
  id: part,
  rawId: part,
  type: z.literal("public-key"),
  response: z.object({
    authenticatorData: part,
    clientDataJSON: part,
    signature: part,
    userHandle: part.optional(),
  }),
});

/** Whom a passkey is for, as its device stores it; base64url. */
export function userHandleOf(userId: UserId): string {
  return Buffer.from(String(userId)).toString("base64url");
}

/** In base64url. */
export function newPasskeyChallenge(
  { now, randomBytes }: Pick<ServiceContext, "now" | "randomBytes">,
  { secret }: PasskeySite,
  purpose: ChallengePurpose,
): string {
  return Buffer.from(createPasskeyChallenge({ purpose, secret, now: now() }, randomBytes)).toString("base64url");
}

export interface PasskeyAttempt {
  readonly site: PasskeySite;
  readonly purpose: ChallengePurpose;
  /** The browser's answer as JSON. */
  readonly assertion: string;
  /** The visitor's. */
  readonly address: string;
  /** Whose passkey it must be; null: anyone's. */
  readonly userId: UserId | null;
}

/**
 * The owner of the passkey that signed a challenge of ours, after verifying its user, or null. The challenge is used up.
 * A counter that went back is refused and audited. Failures delay their source.
 * @throws DomainError `unavailable`
 */
export async function checkPasskey(
  parts: FactorContext,
  attempt: PasskeyAttempt,
  gate: SignInGate,
): Promise<PasskeyOwner | null> {
  const assertion = parseAssertion(attempt.assertion);
  if (assertion === null) return null;
  const source = rateLimitSource(attempt.address);
  const waiting = { account: assertion.id, source, subjects: [{ kind: "source", name: source }] } as const;
  return checkPassword(parts.db, gate.strangers, waiting, () => verify(parts, attempt, assertion));
}

function parseAssertion(text: string): AuthenticationResponseJSON | null {
  if (text.length > MAX_LENGTH) return null;
  try {
    const { response, ...rest } = assertionSchema.parse(JSON.parse(text));
    const { userHandle, ...signed } = response;
    return {
      ...rest,
      response: userHandle === undefined ? signed : { ...signed, userHandle },
      clientExtensionResults: {},
    };
  } catch {
    return null;
  }
}

async function verify(
  { db, now }: FactorContext,
  { site, purpose, address, userId }: PasskeyAttempt,
  response: AuthenticationResponseJSON,
): Promise<PasskeyOwner | null> {
  const { id } = response;
  const owner = await findPasskeyOwner(db, id);
  if (!owner || (userId !== null && owner.userId !== userId)) return null;
  const { userHandle = "" } = response.response;
  if (userHandle !== "" && userHandle !== userHandleOf(owner.userId)) return refuse("it names another user");
  let used: { readonly challenge: string; readonly end: Date } | null = null;
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    // The counter is compared where it is stored.
    credential: { id, publicKey: new Uint8Array(owner.publicKey), counter: 0, transports: owner.transports },
    expectedChallenge: (challenge) => {
      const end = findChallengeEnd(challenge, { purpose, secret: site.secret, now: now() });
      used = end && { challenge, end };
      return end !== null;
    },
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  const accepted = used as { readonly challenge: string; readonly end: Date } | null;
  if (!verified || authenticationInfo === null || accepted === null) return refuse("the signature is not valid");
  if (!(await takeChallenge(db, accepted.challenge, accepted.end))) return refuse("the challenge was used before");
  if (await advancePasskey(db, id, authenticationInfo.newCounter)) return owner;
  return refuse("the counter went back: the passkey may have been copied");

  async function refuse(why: string): Promise<null> {
    await recordRefusal(db, (owner as PasskeyOwner).userId, { factor: "passkey", address, why });
    return null;
  }
}
