import { stopActingRow, updateActingAs } from "#lib/db/user/session.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { noSuchReseller } from "#lib/services/api-key/manager.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requestName, requireAdmin, requireResellerUser, type ServiceContext } from "#lib/services/context.ts";

const ACTING_MS = 60 * 60_000;

/**
 * Makes the admin's session act as a reseller, with only that reseller's rights, for at most an hour. Audited.
 * @throws DomainError `not_found`
 */
export async function startActing(
  ctx: ServiceContext,
  { resellerId }: { readonly resellerId: ResellerId },
): Promise<void> {
  requireAdmin(ctx, "resellers:act");
  const { actor, sessionId } = ctx;
  const by = changedBy(ctx);
  if (actor.kind !== "admin") throw new TypeError("Only a person can act as a reseller.");
  const until = new Date(by.now.getTime() + ACTING_MS);
  const found = await updateActingAs(ctx.db, sessionId, { userId: actor.userId, resellerId, until, by });
  if (!found) throw noSuchReseller();
}

/** Idempotent. */
export async function stopActing(ctx: ServiceContext): Promise<void> {
  requireResellerUser(ctx, "licenses:read");
  await stopActingRow(ctx.db, ctx.sessionId, { endSession: false, requestId: requestName(ctx) });
}
