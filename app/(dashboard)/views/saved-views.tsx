import { change, remove, save } from "#app/(dashboard)/views/actions.ts";
import { readViewQuery, viewHref } from "#components/saved-view/lists.ts";
import { SavedViewMenu } from "#components/saved-view/saved-view-menu.tsx";
import { contextOf } from "#lib/dashboard/session.ts";
import type { SavedList } from "#lib/domain/saved-view.ts";
import { listSavedViews } from "#lib/services/saved-view/list.ts";
import type { SignedInUser } from "#lib/services/user/sign-in.ts";

interface SavedViewsProps {
  readonly user: SignedInUser;
  readonly list: SavedList;
  /** Where the list is. */
  readonly href: string;
}

/** The user's views of a list; none while acting as a reseller, which leaves nothing behind. */
export async function SavedViews({ user, list, href }: SavedViewsProps) {
  if (user.actingAs !== null) return null;
  const query = readViewQuery(list, href.replace(/^[^?]*/, ""));
  const views = await listSavedViews(contextOf(user), { list });
  return (
    <SavedViewMenu
      actions={{ save: save.bind(null, { list }), change, remove }}
      query={query}
      readers={user.kind === "admin" ? "other administrators" : "your team"}
      views={views.map(({ query: saved, ...view }) => {
        const href = viewHref(list, saved);
        return { ...view, href, current: query !== "" && href === viewHref(list, query) };
      })}
    />
  );
}
