import { as, boolean, int, text } from "#lib/db/connection/columns.ts";
import { defineAny, defineFindValue, defineList } from "#lib/db/connection/define.ts";
import type { ResellerId, UserId } from "#lib/domain/ids.ts";
import type { SavedList } from "#lib/domain/saved-view.ts";

/** Whose views of which list: a user's at a reseller, or an admin's. */
export interface ViewPlace {
  readonly userId: UserId;
  /** Null: an admin's. */
  readonly resellerId: ResellerId | null;
  readonly list: SavedList;
}

const viewRow = {
  id: int,
  name: text,
  query: text,
  shared: boolean,
  ownerId: as<UserId>(int),
  ownerName: text,
};

const isOfReseller = "v.reseller_id is not distinct from $2";

/** The user's own, then those that others share with them. */
export const listViewRows = defineList("list_saved_views", viewRow).values(
  ({ userId, resellerId, list }: ViewPlace) => [userId, resellerId, list],
)`
      select v.id, v.name, v.query, v.shared, v.user_id as "ownerId", u.name as "ownerName"
        from saved_views v join users u on u.id = v.user_id
       where (v.reseller_id = $2 or $2::int is null and v.reseller_id is null) and v.list = $3 and (v.user_id = $1 or v.shared)
       order by v.user_id <> $1, lower(v.name), v.id`;

/** Null: the user has `max` views. A name that the user has on this list violates a unique index. */
export const insertView = defineFindValue("save_view", { id: int }).values(
  (
    { userId, resellerId, list }: ViewPlace,
    view: {
      readonly name: string;
      readonly query: string;
      readonly shared: boolean;
      readonly max: number;
      readonly now: Date;
    },
  ) => {
    const { name, query, shared, max, now } = view;
    return [userId, resellerId, list, name, query, shared, max, now];
  },
)`
      insert into saved_views (user_id, reseller_id, list, name, query, shared, created_at)
      select $1, $2, $3, $4, $5, $6, $8 where user_has_room('saved_views', $1, $7, $8, $2) returning id`;

/** `mayChangeShared`: also views of others. False: there is no such view that the user may change. */
export const updateView = defineAny("change_saved_view").values(
  (
    { userId, resellerId, mayChangeShared }: Omit<ViewPlace, "list"> & { readonly mayChangeShared: boolean },
    view: { readonly id: number; readonly name: string; readonly shared: boolean },
  ) => [userId, resellerId, mayChangeShared, view.id, view.name, view.shared],
)`
      update saved_views v set name = $5, shared = $6
       where v.id = $4 and ${isOfReseller} and (v.user_id = $1 or v.shared and $3) returning v.id`;

export const deleteViewRow = defineAny("delete_saved_view").values(
  (
    { userId, resellerId, mayChangeShared }: Omit<ViewPlace, "list"> & { readonly mayChangeShared: boolean },
    id: number,
  ) => [userId, resellerId, mayChangeShared, id],
)`
      delete from saved_views v
       where v.id = $4 and ${isOfReseller} and (v.user_id = $1 or v.shared and $3) returning v.id`;
