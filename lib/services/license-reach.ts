import type { LicenseId, ResellerId } from "#lib/domain/ids.ts";
import { type AgentScope, includesScope } from "#lib/domain/scopes.ts";
import { missingScope, requireReseller, type ServiceContext } from "./context.ts";

/** The licenses that an actor reaches: those of a reseller, or one of them. */
export interface LicenseReach {
  readonly resellerId: ResellerId;
  /** Null: all. */
  readonly onlyLicenseId: LicenseId | null;
}

/**
 * `requireReseller` for services that a key bound to one license can call. To that key other licenses do not exist.
 * @throws DomainError `permission_denied`
 */
export function requireLicenseReach(ctx: ServiceContext, scope: AgentScope): LicenseReach {
  const { actor } = ctx;
  if (actor.kind !== "api_key") return { resellerId: requireReseller(ctx, scope), onlyLicenseId: null };
  if (!includesScope(actor.scopes, scope)) throw missingScope([scope]);
  return { resellerId: actor.resellerId, onlyLicenseId: actor.licenseId };
}

/** Null for a license out of reach. */
export function withinReach<L extends { readonly id: LicenseId }>(reach: LicenseReach, license: L | null): L | null {
  const { onlyLicenseId } = reach;
  return license !== null && (onlyLicenseId === null || license.id === onlyLicenseId) ? license : null;
}
