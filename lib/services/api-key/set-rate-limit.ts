import { updateRateLimit } from "#lib/db/api-key/limits.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { noSuchKey, requireKeyManager } from "./manager.ts";
import { checkRateLimit } from "./validate.ts";

/**
 * Sets a key's requests per minute (contract 1.5). Instances with the key cached follow within a second.
 * @throws DomainError `parameters_invalid`, `not_found`.
 */
export async function setApiKeyRateLimit(
  ctx: ServiceContext,
  input: { readonly apiKeyId: ApiKeyId; readonly requestsPerMinute: number },
): Promise<void> {
  requireAdmin(ctx, "resellers:write");
  const resellerId = requireKeyManager(ctx, "keys:write");
  const { apiKeyId, requestsPerMinute } = input;
  checkRateLimit(requestsPerMinute);
  const change = { requestsPerMinute, by: changedBy(ctx) };
  if (!(await updateRateLimit(writesOf(ctx), resellerId, apiKeyId, change))) throw noSuchKey();
}
