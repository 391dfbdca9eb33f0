import {
  countListedTopUpRequests,
  countOpenTopUpRequests,
  listTopUpRequests,
  type TopUpRequestRow,
  type TopUpRequestState,
} from "#lib/db/wallet/top-up.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { isAdmin, requireAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";

export type { TopUpRequestRow, TopUpRequestState } from "#lib/db/wallet/top-up.ts";

/** Newest first. A reseller sees its own; an admin all, or those of the current reseller. */
export async function listTopUps(
  ctx: ServiceContext,
  input: PageInput<number> & { readonly state?: TopUpRequestState | undefined },
): Promise<Page<TopUpRequestRow, number>> {
  const { state = null, before } = input;
  const selection = { resellerId: visibleReseller(ctx), state };
  return readPage(input, {
    list: (limit) => listTopUpRequests(ctx.db, { ...selection, before, limit }),
    count: () => countListedTopUpRequests(ctx.db, selection),
    placeOf: ({ id }) => id,
  });
}

/** Open requests of all resellers. */
export async function countOpenTopUps(ctx: ServiceContext): Promise<number> {
  requireAdmin(ctx, "admin:read");
  return countOpenTopUpRequests(ctx.db);
}

/** Null: all resellers. */
function visibleReseller(ctx: ServiceContext): ResellerId | null {
  const actsForNobody = ctx.actor.kind === "system" || (ctx.actor.kind === "admin" && ctx.actor.resellerId === null);
  return actsForNobody && isAdmin(ctx) ? null : requireReseller(ctx, "wallet:read");
}
