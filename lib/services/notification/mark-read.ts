import { updateMarkException, updateReadUntil } from "#lib/db/notification/notification.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireOwnUser } from "#lib/services/user/manager.ts";
import { listNotifications, notifiedSince } from "./list.ts";

/** Marks everything up to a time as read, such as the newest that a page showed. Never back, nor ahead of now. */
export async function markNotificationsRead(ctx: ServiceContext, input: { readonly until: Date }): Promise<void> {
  const userId = requireOwnUser(ctx);
  const until = new Date(Math.min(input.until.getTime(), ctx.now().getTime()));
  await updateReadUntil(writesOf(ctx), userId, ownReseller(ctx), until);
}

/**
 * Marks a single one as read or unread, whatever the others are.
 * @throws DomainError `not_found`: it is not listed, or not any more.
 */
export async function markNotification(
  ctx: ServiceContext,
  { id, unread }: { readonly id: string; readonly unread: boolean },
): Promise<void> {
  const userId = requireOwnUser(ctx);
  if (!(await listNotifications(ctx)).some((one) => one.id === id)) {
    throw new DomainError("not_found", "This notification is not listed any more.");
  }
  await updateMarkException(writesOf(ctx), userId, ownReseller(ctx), {
    id,
    exception: { at: ctx.now().toISOString(), unread },
    keptSince: notifiedSince(ctx.now()),
  });
}

function ownReseller({ actor }: ServiceContext) {
  return actor.kind === "reseller_user" ? actor.resellerId : null;
}
