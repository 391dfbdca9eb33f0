import { deleteViewRow } from "#lib/db/saved-view/saved-view.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { viewNotFound } from "./name.ts";
import { requireViewer } from "./viewer.ts";

/** Deletes the user's own view, or as an owner one that another user shares. @throws DomainError `not_found` */
export async function deleteView(ctx: ServiceContext, { id }: { readonly id: number }): Promise<void> {
  const viewer = requireViewer(ctx, null);
  if (!(await deleteViewRow(writesOf(ctx), viewer, id))) throw viewNotFound();
}
