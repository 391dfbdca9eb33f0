import { randomUUID } from "node:crypto";
import { headers } from "next/headers";
import { forbidden, redirect } from "next/navigation";
import { getServerSession } from "next-auth";
import { cache } from "react";
import { rechecked } from "#lib/domain/access-ended.ts";
import { setFormatLocale } from "#lib/domain/format-locale.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import {
  type AdminPermission,
  actingRole,
  adminRoles,
  type Permission,
  type ResellerPermission,
  type ResellerRole,
  resellerRoles,
  sandboxRole,
} from "#lib/domain/roles.ts";
import { getRuntime } from "#lib/runtime.ts";
import { recordRefusal } from "#lib/services/audit/record-denial.ts";
import type { Actor, ServiceContext } from "#lib/services/context.ts";
import { findSession, noteActivity, type SessionLimits, type SignedInUser } from "#lib/services/user/sign-in.ts";
import { authOptions } from "./auth-options.ts";
import { findVisitor, takeVisitorTurn } from "./visitor.ts";

const firstStepPaths = { new_password: "/new-password", second_factor: "/second-factor" } as const;
const ROOT = encodeURIComponent("/");
/** Proxies and clients reject responses whose headers are too large. */
const MAX_NEXT_LENGTH = 2_000;

/** What a user has to do before anything else. */
export type FirstStep = "new_password" | "second_factor";

function findFirstStep(user: SignedInUser): FirstStep | null {
  if (user.mustChangePassword) return "new_password";
  return user.mustAddFactor ? "second_factor" : null;
}

/** The signed-in user, read once per request; null also for users who have to do another step first. */
export async function findUser(during: FirstStep | null = null): Promise<SignedInUser | null> {
  const user = await findSessionUser();
  if (user === null) return null;
  const step = findFirstStep(user);
  return step === null || step === during ? user : null;
}

/** Includes users who have to do something else first. */
export const findSessionUser = cache(async (): Promise<SignedInUser | null> => {
  const [sessionId, { address }] = await Promise.all([readSessionId(), findVisitor()]);
  const { db, adminsNeedFactor, takePageTurn } = getRuntime();
  const read = async () => (sessionId === null ? null : findSession(db, sessionId, { address, adminsNeedFactor }));
  let user = await read();
  if (user === null) await takeVisitorTurn();
  // Its session or role may have ended while it waited.
  if (user?.kind === "reseller" && (await takePageTurn(user.resellerId))) user = await read();
  setFormatLocale(user?.formatLocale ?? null);
  return user;
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

const RECHECK_MS = 1_000;

/** For a response that takes a while: whether its session goes on, in the same role. */
export async function watchSession(): Promise<() => Promise<boolean>> {
  const { db, adminsNeedFactor } = getRuntime();
  const sessionId = await readSessionId();
  const read = async () => sessionId && (await findSession(db, sessionId, { adminsNeedFactor }));
  const before = await read();
  return rechecked(RECHECK_MS, async () => {
    const user = await read();
    return Boolean(user && before && user.kind === before.kind && user.role === before.role);
  });
}

export function readSessionLimits(): SessionLimits {
  return getRuntime().sessionLimits;
}

/** For pages: redirects visitors to the sign-in page and back. */
export async function requireUser(): Promise<SignedInUser> {
  const user = await findSessionUser();
  const step = user && findFirstStep(user);
  if (step) redirect(firstStepPaths[step]);
  if (user) {
    await keepSession(user);
    return user;
  }
  const next = encodeURIComponent((await headers()).get("x-pathname") ?? "/");
  redirect(next === ROOT || next.length > MAX_NEXT_LENGTH ? "/sign-in" : `/sign-in?next=${next}`);
}

/** Whom a page belongs to that was refused because of that. */
export type PageOwner = SignedInUser["kind"] | "person";

/** For the page that says so. */
export const refusedPage = cache((): { owner: PageOwner | null } => ({ owner: null }));

/** Refuses a page of a kind of user, or of the person who acts as a reseller now. */
export function forbidOther(owner: PageOwner): never {
  refusedPage().owner = owner;
  forbidden();
}

/** Refuses what the user's role does not allow, as an audit entry. */
export async function refuse(user: SignedInUser, permission: Permission): Promise<never> {
  await recordRefusal(contextOf(user), `permission:${permission}`);
  forbidden();
}

/** For pages of resellers: refuses admins, and roles without the permission. */
export async function requireResellerUser(permission: ResellerPermission): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.kind !== "reseller") forbidOther("reseller");
  if (!may(user, permission)) await refuse(user, permission);
  return user;
}

/** For pages that admins see, too: refuses roles without the permission. */
export async function requireUserWith(permission: ResellerPermission): Promise<SignedInUser> {
  const user = await requireUser();
  if (!may(user, permission)) await refuse(user, permission);
  return user;
}

/** For pages of admins: refuses resellers' users, and roles without the permission. */
export async function requireAdminUser(permission: AdminPermission): Promise<SignedInUser> {
  const user = await requireUser();
  if (user.kind !== "admin") {
    // At once: the page that says so is rendered while the refusal is recorded.
    refusedPage().owner = "admin";
    if (user.actingAs === null) await refuse(user, permission);
    forbidden();
  }
  if (!may(user, permission)) await refuse(user, permission);
  return user;
}

/** What the user's role allows in the mode that they are in; of an admin also what it allows on a reseller's pages. */
export function permissionsOf(user: SignedInUser): readonly Permission[] {
  if (user.kind === "reseller") return resellerRoles[currentRole(user)].permissions;
  return [...adminRoles[user.role].permissions, ...resellerRoles[actingRole(user.role)].permissions];
}

export function roleNameOf(user: SignedInUser): string {
  return user.kind === "admin" ? adminRoles[user.role].name : resellerRoles[user.role].name;
}

export function may(user: SignedInUser, permission: Permission): boolean {
  return permissionsOf(user).includes(permission);
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
  return getRuntime().contextFor(actorOf(live ? toLive(user) : user, forReseller), {
    requestId: `web_${randomUUID()}`,
    sessionId: user.sessionId,
    address: user.address,
    seenVersion,
  });
}

function actorOf(user: SignedInUser, forReseller: ResellerId | null): Actor {
  const { userId } = user;
  if (user.kind === "admin") return { kind: "admin", userId, resellerId: forReseller, role: user.role };
  const { resellerId, actingAs } = user;
  const actor = { kind: "reseller_user", userId, resellerId, role: currentRole(user) } as const;
  return actingAs === null ? actor : { ...actor, actingAdmin: true };
}

function currentRole({ role, liveResellerId }: Extract<SignedInUser, { readonly kind: "reseller" }>): ResellerRole {
  return liveResellerId === null ? role : sandboxRole(role);
}

function toLive(user: SignedInUser): SignedInUser {
  if (user.kind === "admin" || user.liveResellerId === null) return user;
  return { ...user, resellerId: user.liveResellerId, liveResellerId: null };
}
