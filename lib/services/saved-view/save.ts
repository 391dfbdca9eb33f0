import { insertView } from "#lib/db/saved-view/saved-view.ts";
import { DomainError, malformed } from "#lib/domain/errors.ts";
import { type SavedList, VIEW_QUERY_MAX_LENGTH, VIEWS_MAX } from "#lib/domain/saved-view.ts";
import { isStorable } from "#lib/domain/text.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readViewName, rethrowTakenName } from "./name.ts";
import { requireViewer } from "./viewer.ts";

export interface SaveViewInput {
  readonly list: SavedList;
  readonly name: string;
  /** Beginning with `?`. Never a path: a view stays on its list's page. */
  readonly query: string;
  readonly shared: boolean;
}

/**
 * Names the filters and the order of a list.
 * @throws DomainError `parameters_invalid`, `conflict` (50 views).
 */
export async function saveView(ctx: ServiceContext, input: SaveViewInput): Promise<{ readonly id: number }> {
  const { userId, resellerId } = requireViewer(ctx, input.list);
  const { list, query, shared } = input;
  const name = readViewName(input.name);
  if (!query.startsWith("?") || query.length > VIEW_QUERY_MAX_LENGTH || !isStorable(query)) {
    throw malformed("query", "must be the query of a list's URL");
  }
  const view = { name, query, shared, max: VIEWS_MAX, now: ctx.now() };
  const id = await insertView(writesOf(ctx), { userId, resellerId, list }, view).catch(rethrowTakenName);
  if (id === null) throw new DomainError("conflict", `You have ${VIEWS_MAX} views. Delete one that you do not use.`);
  return { id };
}
