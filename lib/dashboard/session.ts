import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { cache } from "react";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { findSession, noteActivity, type SignedInUser } from "#lib/services/user/sign-in.ts";
import { authOptions } from "./auth-options.ts";

/** Who is signed in, asked of the database once a request; null: nobody, or somebody who has to choose a password first. */
export async function findUser(): Promise<SignedInUser | null> {
  const user = await findSessionUser();
  return user?.mustChangePassword ? null : user;
}

/** The same, with those who have to choose a password first: for the page on which they do. */
export const findSessionUser = cache(async (): Promise<SignedInUser | null> => {
  const sessionId = await readSessionId();
  return sessionId === null ? null : findSession(getRuntime().db, sessionId);
});

/** As the visitor's cookie names it; the session may have ended. */
export async function readSessionId(): Promise<string | null> {
  const session = (await getServerSession(authOptions)) as { sessionId?: unknown } | null;
  return typeof session?.sessionId === "string" ? session.sessionId : null;
}

/** A page or an action keeps the session from going idle; what a page asks for in the background does not. */
export const keepSession = cache(async ({ sessionId }: SignedInUser): Promise<void> => {
  const { db, sessionLimits } = getRuntime();
  await noteActivity(db, sessionId, sessionLimits);
});

/** For pages: sends visitors to sign in, and back to where they wanted to go. */
export async function requireUser(): Promise<SignedInUser> {
  const user = await findSessionUser();
  if (user?.mustChangePassword) redirect("/new-password");
  if (user) {
    await keepSession(user);
    return user;
  }
  const wanted = (await headers()).get("x-pathname") ?? "/";
  redirect(wanted === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(wanted)}`);
}

/** For pages of resellers alone: an admin is sent home. */
export async function requireResellerUser(): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.role !== "reseller") redirect("/");
  return user;
}

/** For pages of admins alone: a reseller's user is sent home. */
export async function requireAdminUser(): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.role !== "admin") redirect("/");
  return user;
}

/** Whose pages these are: a user, or an admin who acts as a reseller. */
export function ownerOf({ userId, actingAs, resellerId }: SignedInUser): string {
  return actingAs === null ? String(userId) : `${userId} as ${resellerId}`;
}

/** What services get from the dashboard. `forReseller`: the reseller that an admin looks at. */
export function contextOf(
  user: SignedInUser,
  options: {
    readonly forReseller?: ResellerId | null;
    readonly seenVersion?: string | null;
  } = {},
): ServiceContext {
  const { forReseller = null, seenVersion = null } = options;
  return getRuntime().contextFor(actorOf(user, forReseller), { requestId: `web_${randomUUID()}`, seenVersion });
}

function actorOf({ userId, role, resellerId, actingAs }: SignedInUser, forReseller: ResellerId | null): Actor {
  if (role === "admin") return { kind: "admin", userId, resellerId: forReseller };
  if (resellerId === null) throw new Error(`user ${userId} has no reseller`);
  return { kind: "reseller_user", userId, resellerId, ...(actingAs === null ? {} : { actingAdmin: true as const }) };
}
