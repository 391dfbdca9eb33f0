import {
  countListedTopUpRequests,
  countOpenTopUpRequests,
  listTopUpRequests,
  type TopUpRequestRow,
  type TopUpRequestState,
} from "#lib/db/wallet/top-up.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { isAdmin, requireAdmin, requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { TopUpRequestRow, TopUpRequestState } from "#lib/db/wallet/top-up.ts";

export interface TopUpRequestPage {
  readonly requests: readonly TopUpRequestRow[];
  /** The next page's `before`; null at the end. */
  readonly nextBefore: number | null;
  /** On all pages, up to one more than `COUNTED_AT_MOST`; null if there is one page. */
  readonly total: number | null;
}

/** Newest first. A reseller sees its own; an admin all, or those of the current reseller. */
export async function listTopUps(
  ctx: ServiceContext,
  input: { readonly state?: TopUpRequestState | undefined; readonly before: number | null; readonly limit: number },
): Promise<TopUpRequestPage> {
  const { state = null, before, limit } = input;
  const selection = { resellerId: visibleReseller(ctx), state };
  const found = await listTopUpRequests(ctx.db, { ...selection, before, limit: limit + 1 });
  const requests = found.slice(0, limit);
  const more = found.length > limit;
  return {
    requests,
    nextBefore: more ? (requests.at(-1)?.id ?? null) : null,
    total: more || before !== null ? await countListedTopUpRequests(ctx.db, selection) : null,
  };
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
