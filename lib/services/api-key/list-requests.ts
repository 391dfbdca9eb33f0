import {
  type ApiRequestFilter,
  type ApiRequestPlace,
  type ApiRequestRow,
  apiRequestListing,
} from "#lib/db/request-log/list.ts";
import { keptMs } from "#lib/domain/retention.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { type Page, type PageInput, readPage } from "#lib/services/page.ts";
import { requireKeyManager } from "./manager.ts";

export type { ApiRequestFilter, ApiRequestPlace, ApiRequestRow, StatusClass } from "#lib/db/request-log/list.ts";

const DAY_MS = 86_400_000;

/**
 * Requests of the last 14 days under one's keys, newest first; none of another reseller's key. `before`: the previous
 * page's `next`.
 */
export async function listApiRequests(
  ctx: ServiceContext,
  input: PageInput<ApiRequestPlace> & { readonly filter: ApiRequestFilter },
): Promise<Page<ApiRequestRow, ApiRequestPlace>> {
  const resellerId = requireKeyManager(ctx, "keys:read");
  const { from, until } = input.filter;
  const nowMs = ctx.now().getTime();
  const keptSince = new Date(nowMs - keptMs("apiRequests"));
  const filter = {
    ...input.filter,
    from: from && from > keptSince ? from : keptSince,
    // With an end, the default partition is skipped, and weeks are read one after the other, the newest first.
    until: until ?? new Date(nowMs + DAY_MS),
  };
  const { list, count } = apiRequestListing(await ctx.db.reads(), resellerId, filter);
  const requests = { list, count: hasIndex(filter) ? count : null };
  return readPage(input, requests, ({ startedAt, id }) => ({ startedAt, id }));
}

/** Errors of one operation are looked for among all of either. */
function hasIndex({ operation, statusClass }: ApiRequestFilter): boolean {
  return operation === undefined || statusClass === undefined;
}
