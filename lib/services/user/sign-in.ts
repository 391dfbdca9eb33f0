import { randomUUID } from "node:crypto";
import type { Database } from "#lib/db/client.ts";
import { findSessionIdentity, insertSession, stopActingRow } from "#lib/db/session.ts";
import { countAttempt, forgiveAttempt } from "#lib/db/sign-in-attempt.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { normalizeEmail } from "./email.ts";
import { hashPassword, passwordMatches } from "./password.ts";

export const SESSION_DAYS = 14;
const MS_PER_DAY = 86_400_000;
const USER_AGENT_MAX_LENGTH = 400;

export interface SignedInUser {
  readonly sessionId: string;
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  /** `reseller` also for an admin who acts as one. */
  readonly role: "admin" | "reseller";
  /** Null for an admin. */
  readonly resellerId: ResellerId | null;
  /** The reseller as which an admin acts, and until when. */
  readonly actingAs: { readonly name: string; readonly until: Date } | null;
  readonly mustChangePassword: boolean;
}

export type SignInResult =
  | { readonly kind: "signed_in"; readonly sessionId: string; readonly email: string; readonly name: string }
  | { readonly kind: "refused" }
  | { readonly kind: "too_many"; readonly waitSeconds: number };

/** Checked when there is no such user, so that the answer takes as long. */
let decoyHash: Promise<string> | null = null;

/** Opens a session, if the email address and the password belong together. Guesses are slowed down (`sign-in-limit.ts`). */
export async function signIn(
  db: Database,
  input: {
    readonly email: string;
    readonly password: string;
    /** Of whoever asks. */
    readonly address: string;
    readonly userAgent: string;
  },
  now: Date,
): Promise<SignInResult> {
  const { password, address } = input;
  const email = normalizeEmail(input.email);
  const account = email ?? input.email.trim().toLowerCase();
  const waitSeconds =
    (await countAttempt(db, "address", address, now)) || (await countAttempt(db, "account", account, now));
  if (waitSeconds > 0) return { kind: "too_many", waitSeconds };
  const user = email ? await db.prisma.user.findUnique({ where: { email }, include: { reseller: true } }) : null;
  decoyHash ??= hashPassword(randomUUID());
  const matches = await passwordMatches(user?.passwordHash ?? (await decoyHash), password);
  if (!user || !matches || user.disabledAt || user.reseller?.suspendedAt) return { kind: "refused" };
  if (user.oneTimePasswordUntil && user.oneTimePasswordUntil <= now) return { kind: "refused" };
  await Promise.all([forgiveAttempt(db, "account", account, "all"), forgiveAttempt(db, "address", address, "one")]);
  const sessionId = randomUUID();
  await insertSession(db, {
    id: sessionId,
    userId: user.id as UserId,
    address,
    userAgent: input.userAgent.slice(0, USER_AGENT_MAX_LENGTH),
    createdAt: now,
    expiresAt: new Date(now.getTime() + SESSION_DAYS * MS_PER_DAY),
  });
  return { kind: "signed_in", sessionId, email: user.email, name: user.name };
}

/** Who a session belongs to, if it still stands: asked on every request. */
export async function findSession(db: Database, sessionId: string, now: Date): Promise<SignedInUser | null> {
  const found = await findSessionIdentity(db, sessionId, now);
  if (!found) return null;
  const { actingAsId, actingAsName, actingUntil, ...identity } = found;
  if (actingAsId === null || actingAsName === null || actingUntil === null) return { ...identity, actingAs: null };
  const actingAs = { name: actingAsName, until: actingUntil };
  return { ...identity, role: "reseller", resellerId: actingAsId, actingAs };
}

/** Ends the session, and the acting in it. */
export async function signOut(db: Database, sessionId: string, now: Date): Promise<void> {
  await stopActingRow(db, sessionId, { endSession: true, requestId: "", now });
}
