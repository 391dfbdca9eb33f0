import { findApiKeyRow } from "#lib/db/api-key/api-key.ts";
import { updateSpendingLimit } from "#lib/db/api-key/limits.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";
import { readAmount } from "#lib/services/wallet/amount.ts";
import { noSuchKey, requireKeyManager } from "./manager.ts";

/**
 * Sets what the charges of an API key, together with all keys of its rotations, may reach in a calendar month (UTC). What
 * they have spent in this month counts. Instances with the key cached follow within a second.
 * @param input `limit`: decimal text in major units of the reseller's currency; "": no limit
 * @throws DomainError `parameters_invalid`, `not_found`.
 */
export async function setApiKeySpendingLimit(
  ctx: ServiceContext,
  input: { readonly apiKeyId: ApiKeyId; readonly limit: string },
): Promise<void> {
  const resellerId = requireKeyManager(ctx, "wallet:write");
  const { apiKeyId } = input;
  const key = await findApiKeyRow(ctx.db, resellerId, apiKeyId, ctx.now());
  if (!key) throw noSuchKey();
  const limit = input.limit.trim() === "" ? null : readAmount(input.limit, key.currency, "not_negative", "limit");
  const change = { limit, by: changedBy(ctx) };
  if (!(await updateSpendingLimit(writesOf(ctx), resellerId, apiKeyId, change))) throw noSuchKey();
}
