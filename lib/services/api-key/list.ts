import { type ApiKeyState, type ApiKeySummaryRow, apiKeyListing } from "#lib/db/api-key/api-key.ts";
import { findReseller } from "#lib/db/reseller/reseller.ts";
import type { ApiKeyId, ResellerId } from "#lib/domain/ids.ts";
import { hasPermission, type ServiceContext } from "#lib/services/context.ts";
import { type Page, readPage } from "#lib/services/page.ts";
import { noSuchReseller, requireManagedReseller, toShownKey } from "./manager.ts";

export type { ApiKeyState, ApiKeySummaryRow as ApiKeySummary } from "#lib/db/api-key/api-key.ts";

/**
 * A reseller's keys, newest first.
 * @param input `resellerId` defaults to the actor's own; `before`: the previous page's `next`; no `limit`: all
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
): Promise<Page<ApiKeySummaryRow, ApiKeyId>> {
  const resellerId = requireManagedReseller(ctx, input.resellerId, "keys:read");
  if (!(await findReseller(ctx.db, resellerId))) throw noSuchReseller();
  const { state = null, bound = null, before = null, limit = Number.POSITIVE_INFINITY } = input;
  const keys = apiKeyListing(ctx.db, resellerId, { state, bound, now: ctx.now() });
  const page = await readPage({ before, limit }, keys, ({ apiKeyId }) => apiKeyId);
  const seesWallet = hasPermission(ctx, "wallet:read");
  return { ...page, rows: page.rows.map((key) => toShownKey(key, seesWallet)) };
}
