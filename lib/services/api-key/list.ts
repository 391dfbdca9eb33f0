import { type ApiKeyState, type ApiKeySummaryRow, listApiKeyRows } from "#lib/db/api-key/api-key.ts";
import { findReseller } from "#lib/db/reseller/reseller.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { noSuchReseller, requireManagedReseller } from "./manager.ts";

export type { ApiKeyState, ApiKeySummaryRow as ApiKeySummary } from "#lib/db/api-key/api-key.ts";

/**
 * A reseller's keys, newest first.
 * @param input `resellerId` defaults to the actor's own; `before`: the previous page's `nextBefore`; no `limit`: all
 * @throws DomainError `not_found`.
 */
export async function listApiKeys(
  ctx: ServiceContext,
  input: {
    readonly resellerId?: ResellerId | undefined;
    readonly state?: ApiKeyState | null;
    /** Keys bound to a license, or others; default: both. */
    readonly bound?: boolean | null;
    readonly before?: ApiKeyId | null;
    readonly limit?: number;
  } = {},
): Promise<{ readonly keys: readonly ApiKeySummaryRow[]; readonly nextBefore: ApiKeyId | null }> {
  const resellerId = requireManagedReseller(ctx, input.resellerId, "keys:read");
  if (!(await findReseller(ctx.db, resellerId))) throw noSuchReseller();
  const { state = null, bound = null, before = null, limit = null } = input;
  const page = { state, bound, before, limit: limit === null ? null : limit + 1, now: ctx.now() };
  const found = await listApiKeyRows(ctx.db, resellerId, page);
  const keys = limit === null ? found : found.slice(0, limit);
  return { keys, nextBefore: found.length > keys.length ? (keys.at(-1)?.apiKeyId ?? null) : null };
}
