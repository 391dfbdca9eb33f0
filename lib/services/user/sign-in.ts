import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "#lib/db/connection/client.ts";
import { isReadOnlyRefusal } from "#lib/db/connection/errors.ts";
import { createPendingWrites } from "#lib/db/connection/transaction.ts";
import { connectIdentity, type SignInAccount } from "#lib/db/user/identity.ts";
import { insertPendingSignIn } from "#lib/db/user/pending-sign-in.ts";
import {
  findSessionIdentity,
  type GivenFactor,
  insertSession,
  lockSessionUser,
  type SessionLimits,
  stopActingRow,
  touchSession,
} from "#lib/db/user/session.ts";
import { recordRefusedSignIn } from "#lib/db/user/sign-in-attempt.ts";
import type { SignInCandidate } from "#lib/db/user/user.ts";
import { isDomainError } from "#lib/domain/errors.ts";
import type { FormatLocale } from "#lib/domain/format-locale.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { AccountDevice } from "#lib/domain/known-device.ts";
import { type AdminRole, actingRole, type ResellerRole } from "#lib/domain/roles.ts";
import { normalizeEmail } from "./email.ts";
import { findPasswordUser, type GivenPassword } from "./find-password-user.ts";
import { unknownHash } from "./password.ts";
import { signInGate } from "./sign-in-gate.ts";

export type { SessionLimits } from "#lib/db/user/session.ts";

const USER_AGENT_MAX_LENGTH = 400;
const DEVICE_ID_BYTES = 16;
const BUSY_SECONDS = 1;
const TOKEN_BYTES = 32;
/** Time to give the second factor after the first step. */
export const SECOND_FACTOR_SECONDS = 300;
/** How long a proof of who the user is counts as recent. */
const PROOF_SECONDS = 600;

/** `reseller` also for an acting admin, whose role is then the one in which they act. Roles are those in live mode. */
export type SignedInUser = SessionUser &
  (
    | { readonly kind: "admin"; readonly role: AdminRole; readonly resellerId: null }
    | { readonly kind: "reseller"; readonly role: ResellerRole; readonly resellerId: ResellerId }
  );

interface SessionUser {
  readonly sessionId: string;
  /** Source address of this request. */
  readonly address: string | null;
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  /** Null: the browser's. */
  readonly timeZone: string | null;
  /** How numbers and dates are written for them; null: the default. */
  readonly formatLocale: FormatLocale | null;
  /** Where they signed in; null: here. */
  readonly issuer: string | null;
  /** The reseller that an admin acts as, and until when. */
  readonly actingAs: { readonly name: string; readonly until: Date } | null;
  /** In test mode, the live reseller of the sandbox `resellerId`; null in live mode. */
  readonly liveResellerId: ResellerId | null;
  readonly mustChangePassword: boolean;
  /** A second factor is required, and the user has none. */
  readonly mustAddFactor: boolean;
  /** Has proved who they are a short time ago (`prove-identity.ts`). */
  readonly isProven: boolean;
}

export interface SignInInput extends GivenPassword {
  readonly userAgent: string;
}

export type SignInResult =
  | SignInFailure
  | {
      readonly kind: "signed_in";
      readonly sessionId: string;
      readonly email: string;
      readonly name: string;
      /** Known from now on. */
      readonly device: AccountDevice;
    }
  /** The password is right, or the issuer vouches for the user. `finishSignIn` needs the token and the second factor. */
  | { readonly kind: "second_factor"; readonly token: string; readonly hasTotp: boolean; readonly hasPasskey: boolean };

export type SignInFailure =
  | { readonly kind: "refused" }
  /** Nothing was checked or counted. */
  | { readonly kind: "busy"; readonly waitSeconds: number }
  /** Too many wrong codes. */
  | { readonly kind: "limited" }
  /** The password was given too long ago, or changed since. */
  | { readonly kind: "expired" }
  /** No session can be opened while the service is read-only. */
  | { readonly kind: "read_only" };

/** Opens a session if email address and password match, and there is no second factor. Guesses are delayed (`sign-in-gate.ts`). */
export async function signIn(
  db: Database,
  input: SignInInput,
  limits: SessionLimits,
  gate = signInGate,
): Promise<SignInResult> {
  const email = normalizeEmail(input.email);
  try {
    const user = await findPasswordUser(db, input, gate);
    if (!user) {
      if (email !== null) await recordRefusedSignIn(db, email, { address: input.address, issuer: null });
      return { kind: "refused" };
    }
    const visitor = { ...input, device: findDevice(input, user), factor: null, identity: null, provenAt: null };
    return await admitUser(db, user, visitor, limits);
  } catch (error) {
    return explainFailure(error);
  }
}

export interface SignInVisitor extends Pick<SignInInput, "address" | "userAgent"> {
  readonly device: string | null;
  /** Null: none was asked for. */
  readonly factor: GivenFactor | null;
  /** The account with which the user signed in at the issuer; null: here. */
  readonly identity: SignInAccount | null;
  /** When the user proved who they are; null: now. */
  readonly provenAt: Date | null;
}

/** After the first step: opens the session, or waits for the user's second factor. */
export async function admitUser(
  db: Database,
  user: SignInCandidate,
  visitor: SignInVisitor,
  limits: SessionLimits,
): Promise<SignInResult> {
  const { id: userId, passwordHash, hasTotp, hasPasskey } = user;
  if (!hasTotp && !hasPasskey) return openSession(db, user, visitor, limits);
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const { identity } = visitor;
  await insertPendingSignIn(db, { token, userId, passwordHash, identity, seconds: SECOND_FACTOR_SECONDS });
  return { kind: "second_factor", token, hasTotp, hasPasskey };
}

/**
 * For a user who has proved who they are, by a password if there is its hash. A new account at the issuer is connected in
 * the same transaction, so that a refused session connects none. A message reports a device that is not known.
 */
export async function openSession(
  db: Database,
  user: Pick<SignInCandidate, "id" | "email" | "name"> & { readonly passwordHash: string | null },
  visitor: SignInVisitor,
  limits: SessionLimits,
): Promise<SignInResult> {
  const { address, device, factor, identity, provenAt } = visitor;
  const { id: userId, email, name, passwordHash } = user;
  const session = {
    id: randomUUID(),
    userId,
    passwordHash,
    factor,
    address,
    userAgent: visitor.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
    issuer: identity?.issuer ?? null,
    isNewDevice: device === null,
    provenAt,
    unknownHash: passwordHash && unknownHash(passwordHash),
  };
  const pending = createPendingWrites(db);
  try {
    await lockSessionUser(pending.writes, userId);
    const isConnected = !identity || (await connectIdentity(pending.writes, identity, userId));
    if (!isConnected || !(await insertSession(pending.writes, session, limits))) return { kind: "refused" };
    await pending.commit();
  } finally {
    await pending.rollback();
  }
  const known = { account: email, userId, deviceId: device ?? newDeviceId() };
  return { kind: "signed_in", sessionId: session.id, email, name, device: known };
}

/** The device id of the visitor's browser for a user; null: the user has not signed in on it. */
export function findDevice(
  { findDevices }: Pick<SignInInput, "findDevices">,
  { id, email }: Pick<SignInCandidate, "id" | "email">,
): string | null {
  return findDevices(email).find(({ userId }) => userId === id)?.deviceId ?? null;
}

export function newDeviceId(): string {
  return randomBytes(DEVICE_ID_BYTES).toString("base64url");
}

/** For `catch` of a sign-in. */
export function explainFailure(error: unknown): SignInFailure {
  if (isReadOnlyRefusal(error)) return { kind: "read_only" };
  if (!isDomainError(error)) throw error;
  if (error.code === "rate_limited") return { kind: "limited" };
  if (error.code !== "unavailable") throw error;
  return { kind: "busy", waitSeconds: error.retryAfterSeconds ?? BUSY_SECONDS };
}

/** The user of a live session. Checked on every request. */
export async function findSession(
  db: Database,
  sessionId: string,
  {
    address = null,
    adminsNeedFactor = false,
  }: { readonly address?: string | null; readonly adminsNeedFactor?: boolean } = {},
): Promise<SignedInUser | null> {
  const found = await findSessionIdentity(db, sessionId, adminsNeedFactor);
  if (!found) return null;
  const {
    adminRole,
    resellerRole,
    resellerId,
    actingAsId,
    actingAsName,
    actingUntil,
    sandboxId,
    provenSecondsAgo,
    ...rest
  } = found;
  const identity = { ...rest, address, isProven: provenSecondsAgo < PROOF_SECONDS };
  const acts = adminRole !== null && actingAsId !== null && actingAsName !== null && actingUntil !== null;
  const actingAs = acts ? { name: actingAsName, until: actingUntil } : null;
  if (adminRole !== null && !acts) {
    return { ...identity, kind: "admin", role: adminRole, resellerId: null, liveResellerId: null, actingAs };
  }
  const live = acts ? actingAsId : resellerId;
  const role = acts ? actingRole(adminRole) : resellerRole;
  if (live === null || role === null) throw new Error(`user ${identity.userId} has no reseller`);
  const liveResellerId = sandboxId === null ? null : live;
  return { ...identity, kind: "reseller", role, resellerId: sandboxId ?? live, liveResellerId, actingAs };
}

/** Extends the session's idle time. Pages remain readable while nothing can be written. */
export async function noteActivity(db: Database, sessionId: string, limits: SessionLimits): Promise<void> {
  try {
    await touchSession(db, sessionId, limits);
  } catch (error) {
    if (!isReadOnlyRefusal(error)) throw error;
  }
}

/** Ends the session, and acting in it. */
export async function signOut(db: Database, sessionId: string): Promise<void> {
  await stopActingRow(db, sessionId, { endSession: true, requestId: "" });
}
