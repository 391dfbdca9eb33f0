import { DomainError } from "#lib/domain/errors.ts";
import type { ApiKeyId, LicenseId, ResellerId, UserId } from "#lib/domain/ids.ts";
import {
  type AdminRole,
  actingRole,
  describeDenial,
  type ResellerPermission,
  type ResellerRole,
  resellerRoles,
} from "#lib/domain/roles.ts";
import type { Scope } from "#lib/domain/scopes.ts";

/** The caller. Every service checks its permissions, however the call arrived. */
export type Actor =
  | {
      readonly kind: "api_key";
      readonly apiKeyId: ApiKeyId;
      /** The first key of its rotation; itself if it replaced none. */
      readonly firstKeyId: ApiKeyId;
      readonly resellerId: ResellerId;
      readonly scopes: ReadonlySet<Scope>;
      /** The one license that it is bound to; null: all of its reseller's. */
      readonly licenseId: LicenseId | null;
      /** With a spending limit: the key that counts for this one and those that it replaced. */
      readonly spendingKeyId: ApiKeyId | null;
    }
  | {
      readonly kind: "reseller_user";
      readonly userId: UserId;
      readonly resellerId: ResellerId;
      readonly role: ResellerRole;
      /** An admin acting as the reseller: has its rights only, and cannot manage its team. */
      readonly actingAdmin?: true;
    }
  /** `resellerId`: the reseller whose dashboard the admin works in, if any. */
  | {
      readonly kind: "admin";
      readonly userId: UserId;
      readonly resellerId: ResellerId | null;
      readonly role: AdminRole;
    }
  /** The command line and the workers. */
  | { readonly kind: "system"; readonly name: string }
  /** The system on behalf of one reseller, with the scopes its task requires. Created by `onBehalfOf` only. */
  | {
      readonly kind: "delegate";
      readonly name: string;
      readonly resellerId: ResellerId;
      readonly scopes: ReadonlySet<Scope>;
    };

export type UserActor = Extract<Actor, { readonly kind: "reseller_user" | "admin" }>;

/** The role that a user has for the reseller. */
export function roleForReseller(actor: UserActor): ResellerRole {
  return actor.kind === "admin" ? actingRole(actor.role) : actor.role;
}

/** @throws DomainError `permission_denied` unless the user's role has one of the permissions. */
export function requirePermission(
  actor: UserActor,
  ...anyOf: readonly [ResellerPermission, ...ResellerPermission[]]
): void {
  const { permissions } = resellerRoles[roleForReseller(actor)];
  if (anyOf.some((permission) => permissions.includes(permission))) return;
  const isOwn = actor.kind === "reseller_user" && !actor.actingAdmin;
  throw permissionDenied(describeDenial(isOwn ? "reseller" : "admin", anyOf[0]));
}

export function permissionDenied(message: string): DomainError {
  return new DomainError("permission_denied", message);
}
