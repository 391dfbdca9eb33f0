import { findUserReseller } from "#lib/db/user/user.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { permissionDenied, requirePermission } from "#lib/services/actor.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

/**
 * The reseller whose users the actor lists or changes: a user's own; an admin's current one, or all (null). Not while
 * acting as a reseller: an admin must not create access that looks like the reseller's own.
 * @throws DomainError `permission_denied`
 */
export function requireUserManager(ctx: ServiceContext, access: "read" | "write"): ResellerId | null {
  const { actor } = ctx;
  switch (actor.kind) {
    case "reseller_user":
      if (actor.actingAdmin) throw permissionDenied("Stop acting as the reseller first: its users manage the team.");
      requirePermission(actor, `team:${access}`);
      return actor.resellerId;
    case "admin":
    case "system":
      requireAdmin(ctx, access === "read" ? "admin:read" : "users:write");
      return actor.kind === "admin" ? actor.resellerId : null;
    case "api_key":
    case "delegate":
      throw permissionDenied("Users are managed only in the dashboard.");
    default:
      return actor satisfies never;
  }
}

/**
 * Only an administrator may reset a password: an owner could otherwise sign in as another user (docs/decisions/0030).
 * @throws DomainError `permission_denied`
 */
export function requirePasswordManager(ctx: ServiceContext): ResellerId | null {
  if (ctx.actor.kind === "reseller_user") {
    throw permissionDenied("Only an administrator can do this. Ask the operator of this License Desk.");
  }
  return requireUserManager(ctx, "write");
}

/**
 * The kind of a user that the actor may change, which never changes. Admins are changed by admins with the role Owner.
 * @param own from `requireUserManager`
 * @throws DomainError `permission_denied`, `not_found`
 */
export async function requireManageable(
  ctx: ServiceContext,
  own: ResellerId | null,
  userId: UserId,
): Promise<"admin" | "reseller"> {
  const user = await findUserReseller(ctx.db, userId);
  if (!user || (own !== null && user.resellerId !== own)) throw userNotFound();
  if (user.resellerId !== null) return "reseller";
  requireAdmin(ctx, "admins:write");
  return "admin";
}

/** The user, for their own password, name and sessions. @throws DomainError `permission_denied` */
export function requireOwnUser(ctx: ServiceContext): UserId {
  const { actor } = ctx;
  switch (actor.kind) {
    case "reseller_user":
      if (actor.actingAdmin) throw permissionDenied("Stop acting as the reseller first.");
      return actor.userId;
    case "admin":
      return actor.userId;
    case "api_key":
    case "delegate":
    case "system":
      throw permissionDenied("Only a person may do this.");
    default:
      return actor satisfies never;
  }
}

/** @throws DomainError `state_invalid` if the user is the actor. */
export function requireOtherUser({ actor }: ServiceContext, userId: UserId, message: string): void {
  if ((actor.kind === "admin" || actor.kind === "reseller_user") && actor.userId === userId) {
    throw new DomainError("state_invalid", message);
  }
}

export function userNotFound(): DomainError {
  return new DomainError("not_found", "There is no such user.");
}
