import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { z } from "zod";
import { deletePasskey, insertPasskey, listPasskeyRows, type PasskeyRow, takeChallenge } from "#lib/db/user/passkey.ts";
import { findPassword } from "#lib/db/user/password.ts";
import { DomainError, requireWellFormed } from "#lib/domain/errors.ts";
import type { UserId } from "#lib/domain/ids.ts";
import { findChallengeEnd } from "#lib/domain/passkey-challenge.ts";
import { createRecoveryCodes } from "#lib/domain/recovery-code.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { newPasskeyChallenge, type PasskeySite, userHandleOf } from "./check-passkey.ts";
import { findNameProblem } from "./fields.ts";
import { requireOwnUser, userNotFound } from "./manager.ts";
import { removeOwnFactor } from "./own-factors.ts";
import { writeInSession } from "./write-in-session.ts";

export type { PasskeyRow } from "#lib/db/user/passkey.ts";

const MOST_PASSKEYS = 20;
/** EdDSA, ES256, RS256, by their COSE numbers. */
const ALGORITHMS = [-8, -7, -257];
const MAX_LENGTH = 65_536;
const part = z.string().max(MAX_LENGTH);
const registrationSchema = z.object({
  id: part,
  rawId: part,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: part,
    attestationObject: part,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
});

export async function listOwnPasskeys(ctx: ServiceContext): Promise<readonly PasskeyRow[]> {
  const userId = requireOwnUser(ctx);
  return listPasskeyRows(ctx.db, userId);
}

/** What the browser needs to create a passkey, for five minutes. */
export async function startPasskey(
  ctx: ServiceContext,
  { site }: { readonly site: PasskeySite },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const userId = requireOwnUser(ctx);
  const [user, passkeys] = await Promise.all([findPassword(ctx.db, userId), listPasskeyRows(ctx.db, userId)]);
  if (!user) throw userNotFound();
  return generateRegistrationOptions({
    rpName: "License Desk",
    rpID: site.rpId,
    userName: user.email,
    userID: new Uint8Array(Buffer.from(userHandleOf(userId), "base64url")),
    challenge: new Uint8Array(Buffer.from(newPasskeyChallenge(ctx, site, `register:${userId}`), "base64url")),
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

export interface AddPasskeyInput {
  readonly site: PasskeySite;
  readonly name: string;
  /** The browser's answer as JSON. */
  readonly registration: string;
}

/**
 * Stores a passkey. Returns recovery codes, shown once, if the user has none yet. Ends the user's other sessions.
 * @throws DomainError `parameters_invalid`, `state_invalid` (expired, used before, too many; the session has ended)
 */
export async function addPasskey(
  ctx: ServiceContext,
  { site, name: text, registration }: AddPasskeyInput,
): Promise<{ readonly recoveryCodes: readonly string[] }> {
  const userId = requireOwnUser(ctx);
  const name = text.trim();
  requireWellFormed({ name: findNameProblem(name) });
  const { credential } = await verifyRegistration(ctx, userId, site, registration);
  const recoveryCodes = createRecoveryCodes(ctx.randomBytes);
  const { id, publicKey, counter, transports = [] } = credential;
  const passkey = { id, name, publicKey, counter, transports, most: MOST_PASSKEYS, recoveryCodes };
  const change = { sessionId: ctx.sessionId, by: changedBy(ctx) };
  const added = await writeInSession(ctx, (db) => insertPasskey(db, userId, passkey, change));
  if (added) return { recoveryCodes: added.hasNewCodes ? recoveryCodes : [] };
  throw new DomainError("state_invalid", `This passkey was added before, or you have ${MOST_PASSKEYS} already.`);
}

/**
 * Removes a passkey, and with the last factor the recovery codes. Ends the user's other sessions.
 * @throws DomainError `state_invalid` (the last required one; the session has ended)
 */
export async function removePasskey(ctx: ServiceContext, { passkeyId }: { readonly passkeyId: string }): Promise<void> {
  const userId = requireOwnUser(ctx);
  await removeOwnFactor(
    ctx,
    (db, removal) => deletePasskey(db, userId, passkeyId, removal),
    async () => (await listPasskeyRows(ctx.db, userId)).some(({ id }) => id === passkeyId),
  );
}

async function verifyRegistration({ db, now }: ServiceContext, userId: UserId, site: PasskeySite, text: string) {
  let used: { readonly challenge: string; readonly end: Date } | null = null;
  const result = await verifyRegistrationResponse({
    response: parseRegistration(text),
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
    expectedChallenge: (challenge) => {
      const end = findChallengeEnd(challenge, { purpose: `register:${userId}`, secret: site.secret, now: now() });
      used = end && { challenge, end };
      return end !== null;
    },
  }).catch(() => null);
  const accepted = used as { readonly challenge: string; readonly end: Date } | null;
  if (!result?.verified || accepted === null) throw notAccepted();
  if (!(await takeChallenge(db, accepted.challenge, accepted.end))) throw notAccepted();
  return result.registrationInfo;
}

function parseRegistration(text: string): RegistrationResponseJSON {
  try {
    const { response, ...rest } = registrationSchema.parse(JSON.parse(text));
    const attestationObject = dropAttestation(response.attestationObject);
    const answer = { ...rest, response: { ...response, attestationObject }, clientExtensionResults: {} };
    return answer as RegistrationResponseJSON;
  } catch (cause) {
    throw notAccepted(cause);
  }
}

/**
 * We ask for no attestation, so it says nothing. Verifying one requests the addresses in its certificates, which the
 * sender has written.
 */
function dropAttestation(attestationObject: string): string {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
  const none = { fmt: "none", attStmt: new Map(), authData };
  return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(Object.entries(none))));
}

function notAccepted(cause?: unknown): DomainError {
  return new DomainError("state_invalid", "The passkey was not accepted. Start again within 5 minutes.", { cause });
}
