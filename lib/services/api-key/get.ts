import { type ApiKeySummaryRow, findApiKeyRow } from "#lib/db/api-key/api-key.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { hasPermission, type ServiceContext } from "#lib/services/context.ts";
import { noSuchKey, requireKeyManager, toShownKey } from "./manager.ts";

/** @throws DomainError `not_found`. */
export async function getApiKey(
  ctx: ServiceContext,
  input: { readonly apiKeyId: ApiKeyId },
): Promise<ApiKeySummaryRow> {
  const resellerId = requireKeyManager(ctx, "keys:read");
  const key = await findApiKeyRow(ctx.db, resellerId, input.apiKeyId, ctx.now());
  if (!key) throw noSuchKey();
  return toShownKey(key, hasPermission(ctx, "wallet:read"));
}
