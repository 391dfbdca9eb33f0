import { updateView } from "#lib/db/saved-view/saved-view.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readViewName, rethrowTakenName, viewNotFound } from "./name.ts";
import { requireViewer } from "./viewer.ts";

/**
 * Renames a view and shares it, or stops sharing it: the user's own, or as an owner one that another user shares.
 * @throws DomainError `parameters_invalid`, `not_found`.
 */
export async function changeView(
  ctx: ServiceContext,
  input: { readonly id: number; readonly name: string; readonly shared: boolean },
): Promise<void> {
  const viewer = requireViewer(ctx, null);
  const { id, shared } = input;
  const name = readViewName(input.name);
  const isDone = await updateView(writesOf(ctx), viewer, { id, name, shared }).catch(rethrowTakenName);
  if (!isDone) throw viewNotFound();
}
