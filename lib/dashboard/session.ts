import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { cache } from "react";
import type { ResellerId } from "#lib/domain/ids.ts";
import { getRuntime } from "#lib/runtime.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { findSession, type SignedInUser } from "#lib/services/user/sign-in.ts";
import { authOptions } from "./auth-options.ts";

/** Who is signed in, asked of the database once a request; null: nobody, or somebody who has to choose a password first. */
export async function findUser(): Promise<SignedInUser | null> {
  const user = await findSessionUser();
  return user?.mustChangePassword ? null : user;
}

/** The same, with those who have to choose a password first: for the page on which they do. */
export const findSessionUser = cache(async (): Promise<SignedInUser | null> => {
  const session = (await getServerSession(authOptions)) as { sessionId?: unknown } | null;
  if (typeof session?.sessionId !== "string") return null;
  return findSession(getRuntime().db, session.sessionId, new Date());
});

/** For pages: sends visitors to sign in, and back to where they wanted to go. */
export async function requireUser(): Promise<SignedInUser> {
  const user = await findSessionUser();
  if (user?.mustChangePassword) redirect("/new-password");
  if (user) return user;
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

/** What services get from the dashboard. `forReseller`: the reseller that an admin looks at. */
export function contextOf(
  user: SignedInUser,
  options: {
    readonly forReseller?: ResellerId;
    readonly idempotencyKey?: string;
    readonly seenVersion?: string;
  } = {},
): ServiceContext {
  const { forReseller = null, idempotencyKey = null, seenVersion = null } = options;
  const request = { requestId: `web_${randomUUID()}`, idempotencyKey, seenVersion };
  return getRuntime().contextFor(actorOf(user, forReseller), request);
}

function actorOf({ userId, role, resellerId, actingAs }: SignedInUser, forReseller: ResellerId | null): Actor {
  if (role === "admin") return { kind: "admin", userId, resellerId: forReseller };
  if (resellerId === null) throw new Error(`user ${userId} has no reseller`);
  return { kind: "reseller_user", userId, resellerId, ...(actingAs === null ? {} : { actingAdmin: true as const }) };
}
