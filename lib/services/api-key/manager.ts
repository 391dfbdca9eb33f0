import type { ApiKeySummaryRow } from "#lib/db/api-key/api-key.ts";
import type { ResellerRow } from "#lib/db/reseller/reseller.ts";
import type { ApiKeyMode } from "#lib/domain/api-key.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import type { ResellerPermission } from "#lib/domain/roles.ts";
import { permissionDenied, requirePermission } from "#lib/services/actor.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/**
 * The reseller whose keys the actor may see or manage: a user its own, an admin or the operator any (null). Never an API
 * key, whatever its scopes: a leaked one could create more.
 * @throws DomainError `permission_denied`
 */
export function requireKeyManager(ctx: ServiceContext, permission: ResellerPermission): ResellerId | null {
  const { actor } = ctx;
  switch (actor.kind) {
    case "reseller_user":
    case "admin":
      requirePermission(actor, permission);
      return actor.resellerId;
    case "system":
      return null;
    case "api_key":
    case "delegate":
      throw permissionDenied("Keys are managed only in the dashboard.");
    default:
      return actor satisfies never;
  }
}

/** The given reseller, by default the actor's own. @throws DomainError `not_found` */
export function requireManagedReseller(
  ctx: ServiceContext,
  asked: ResellerId | undefined,
  permission: ResellerPermission,
): ResellerId {
  const own = requireKeyManager(ctx, permission);
  if (own !== null && asked !== undefined && asked !== own) throw noSuchReseller();
  const resellerId = own ?? asked;
  if (resellerId === undefined) throw permissionDenied("Choose a reseller to act for.");
  return resellerId;
}

/** What a key has spent is read by those who see the wallet. */
export function toShownKey(key: ApiKeySummaryRow, seesWallet: boolean): ApiKeySummaryRow {
  return seesWallet ? key : { ...key, spent: null };
}

/** The mode of a reseller's keys. */
export function modeOf({ sandboxOf }: ResellerRow): ApiKeyMode {
  return sandboxOf === null ? "live" : "test";
}

export function noSuchReseller(): DomainError {
  return new DomainError("not_found", "There is no such reseller.");
}

export function noSuchKey(): DomainError {
  return new DomainError("not_found", "There is no such API key.");
}
