import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import { type SavedList, savedLists } from "#lib/domain/saved-view.ts";
import { permissionDenied, requirePermission } from "#lib/services/actor.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireOwnUser } from "#lib/services/user/manager.ts";

export interface Viewer {
  readonly userId: UserId;
  readonly resellerId: ResellerId | null;
  /** Also the views that others share. */
  readonly mayChangeShared: boolean;
}

/**
 * The user, at their reseller or among the admins. Not while acting as a reseller: views would stay behind.
 * @param list null: of no particular list
 * @throws DomainError `permission_denied`
 */
export function requireViewer(ctx: ServiceContext, list: SavedList | null): Viewer {
  const userId = requireOwnUser(ctx);
  const { actor } = ctx;
  if (actor.kind !== "reseller_user") {
    return { userId, resellerId: null, mayChangeShared: actor.kind === "admin" && actor.role === "owner" };
  }
  const permission = list && savedLists[list];
  if (list !== null && permission === null) throw permissionDenied("Only an administrator may do this.");
  if (permission) requirePermission(actor, permission);
  return { userId, resellerId: actor.resellerId, mayChangeShared: actor.role === "owner" };
}
