import { updateReadUntil } from "#lib/db/notification/notification.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireOwnUser } from "#lib/services/user/manager.ts";

/** Marks everything up to a time as read, such as the newest that a page showed. Never back, nor ahead of now. */
export async function markNotificationsRead(ctx: ServiceContext, input: { readonly until: Date }): Promise<void> {
  const userId = requireOwnUser(ctx);
  const resellerId = ctx.actor.kind === "reseller_user" ? ctx.actor.resellerId : null;
  const until = new Date(Math.min(input.until.getTime(), ctx.now().getTime()));
  await updateReadUntil(writesOf(ctx), userId, resellerId, until);
}
