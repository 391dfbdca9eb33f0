import { listViewRows } from "#lib/db/saved-view/saved-view.ts";
import type { SavedList } from "#lib/domain/saved-view.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireViewer } from "./viewer.ts";

export interface SavedView {
  readonly id: number;
  readonly name: string;
  /** The list's query, beginning with `?`. */
  readonly query: string;
  readonly shared: boolean;
  /** Who shares it; null: the actor's own. */
  readonly sharedBy: string | null;
  /** Whether the actor may rename, share and delete it. */
  readonly changeable: boolean;
}

/** The actor's own views of a list, then those that others share with them. */
export async function listSavedViews(
  ctx: ServiceContext,
  { list }: { readonly list: SavedList },
): Promise<readonly SavedView[]> {
  const { userId, resellerId, mayChangeShared } = requireViewer(ctx, list);
  const rows = await listViewRows(await ctx.db.reads(), { userId, resellerId, list });
  return rows.map(({ ownerId, ownerName, ...view }) => ({
    ...view,
    sharedBy: ownerId === userId ? null : ownerName,
    changeable: ownerId === userId || mayChangeShared,
  }));
}
