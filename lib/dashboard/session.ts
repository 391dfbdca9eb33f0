import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { cache } from "react";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { findSession, noteActivity, type SessionLimits, type SignedInUser } from "#lib/services/user/sign-in.ts";
import { authOptions } from "./auth-options.ts";

const ROOT = encodeURIComponent("/");
/** Proxies and clients reject responses whose headers are too large. */
const MAX_NEXT_LENGTH = 2_000;

/** The signed-in user, read once per request; null also for users who must choose a password first. */
export async function findUser(): Promise<SignedInUser | null> {
  const user = await findSessionUser();
  return user?.mustChangePassword ? null : user;
}

/** Includes users who must choose a password first. */
export const findSessionUser = cache(async (): Promise<SignedInUser | null> => {
  const sessionId = await readSessionId();
  return sessionId === null ? null : findSession(getRuntime().db, sessionId);
});

/** From the visitor's cookie; the session may have ended. */
export async function readSessionId(): Promise<string | null> {
  const session = (await getServerSession(authOptions)) as { sessionId?: unknown } | null;
  return typeof session?.sessionId === "string" ? session.sessionId : null;
}

/** Extends the session's idle time; background requests of a page do not. */
export const keepSession = cache(async ({ sessionId }: SignedInUser): Promise<void> => {
  const { db, sessionLimits } = getRuntime();
  await noteActivity(db, sessionId, sessionLimits);
});

export function readSessionLimits(): SessionLimits {
  return getRuntime().sessionLimits;
}

/** For pages: redirects visitors to the sign-in page and back. */
export async function requireUser(): Promise<SignedInUser> {
  const user = await findSessionUser();
  if (user?.mustChangePassword) redirect("/new-password");
  if (user) {
    await keepSession(user);
    return user;
  }
  const next = encodeURIComponent((await headers()).get("x-pathname") ?? "/");
  redirect(next === ROOT || next.length > MAX_NEXT_LENGTH ? "/sign-in" : `/sign-in?next=${next}`);
}

/** For pages of resellers: redirects admins to the start page. */
export async function requireResellerUser(): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.role !== "reseller") redirect("/");
  return user;
}

/** For pages of admins: redirects resellers' users to the start page. */
export async function requireAdminUser(): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.role !== "admin") redirect("/");
  return user;
}

/** The owner of the pages: a user, or an admin acting as a reseller, in live or in test mode. */
export function ownerOf({ userId, actingAs, resellerId, liveResellerId }: SignedInUser): string {
  const person = actingAs === null ? String(userId) : `${userId} as ${liveResellerId ?? resellerId}`;
  return liveResellerId === null ? person : `${person} in test mode`;
}

/**
 * The context of service calls from the dashboard. `forReseller`: the reseller that an admin is viewing; `live`: also
 * for the live reseller in test mode.
 */
export function contextOf(
  user: SignedInUser,
  options: {
    readonly forReseller?: ResellerId | null;
    readonly seenVersion?: string | null;
    readonly live?: true;
  } = {},
): ServiceContext {
  const { forReseller = null, seenVersion = null, live } = options;
  const owner = live && user.liveResellerId !== null ? { ...user, resellerId: user.liveResellerId } : user;
  return getRuntime().contextFor(actorOf(owner, forReseller), { requestId: `web_${randomUUID()}`, seenVersion });
}

function actorOf({ userId, role, resellerId, actingAs }: SignedInUser, forReseller: ResellerId | null): Actor {
  if (role === "admin") return { kind: "admin", userId, resellerId: forReseller };
  if (resellerId === null) throw new Error(`user ${userId} has no reseller`);
  return { kind: "reseller_user", userId, resellerId, ...(actingAs === null ? {} : { actingAdmin: true as const }) };
}
