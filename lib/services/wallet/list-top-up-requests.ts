import {
  countOpenTopUpRequests,
  type TopUpRequestRow,
  type TopUpRequestState,
  topUpListing,
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
  const { state = null } = input;
  return readPage(input, topUpListing(ctx.db, { resellerId: visibleReseller(ctx), state }), ({ id }) => id);
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
