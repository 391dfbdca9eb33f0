import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { permissionDenied, type ServiceContext } from "#lib/services/context.ts";

/**
 * The reseller whose users the actor lists and adds to: a user's own; an admin's current one, or all (null). Not while
 * acting as a reseller: an admin must not create access that looks like the reseller's own.
 * @throws DomainError `permission_denied`
 */
export function requireUserManager(ctx: ServiceContext): ResellerId | null {
  const { actor } = ctx;
  switch (actor.kind) {
    case "reseller_user":
      if (actor.actingAdmin) throw permissionDenied("Stop acting as the reseller first: its users manage the team.");
      return actor.resellerId;
    case "admin":
      return actor.resellerId;
    case "system":
      return null;
    case "api_key":
    case "delegate":
      throw permissionDenied("Users are managed only in the dashboard.");
    default:
      return actor satisfies never;
  }
}

/**
 * Only an admin may disable a user or reset a password (null: any user). Users of a reseller have equal rights, so one
 * could otherwise sign in as another (docs/decisions/0030).
 * @throws DomainError `permission_denied`
 */
export function requireAccessManager(ctx: ServiceContext): ResellerId | null {
  const { actor } = ctx;
  if (actor.kind === "reseller_user") {
    throw permissionDenied("Only an admin can do this. Ask the operator of this License Desk.");
  }
  return requireUserManager(ctx);
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
