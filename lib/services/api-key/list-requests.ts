import {
  type ApiRequestFilter,
  type ApiRequestPlace,
  type ApiRequestRow,
  listApiRequestRows,
} from "#lib/db/request-log/list.ts";
import { keptMs } from "#lib/domain/retention.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireKeyManager } from "./manager.ts";

export type { ApiRequestFilter, ApiRequestPlace, ApiRequestRow, StatusClass } from "#lib/db/request-log/list.ts";

const DAY_MS = 86_400_000;

/**
 * Requests of the last 14 days under one's keys, newest first; none of another reseller's key. `before`: the previous
 * page's `nextBefore`.
 */
export async function listApiRequests(
  ctx: ServiceContext,
  input: {
    readonly filter: ApiRequestFilter;
    readonly before: ApiRequestPlace | null;
    readonly limit: number;
  },
): Promise<{ readonly requests: readonly ApiRequestRow[]; readonly nextBefore: ApiRequestPlace | null }> {
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
  const found = await listApiRequestRows(await ctx.db.reads(), resellerId, {
    ...input,
    filter,
    limit: input.limit + 1,
  });
  const requests = found.slice(0, input.limit);
  const last = requests.at(-1);
  const nextBefore = last && found.length > input.limit ? { startedAt: last.startedAt, id: last.id } : null;
  return { requests, nextBefore };
}
