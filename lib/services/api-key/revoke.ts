import { revokeApiKeyRow } from "#lib/db/api-key/api-key.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { type ServiceContext, writesOf } from "#lib/services/context.ts";

import { noSuchKey, requireKeyManager } from "./manager.ts";

/**
 * Ends a key. Every instance rejects it within a second (contract 1.13). Idempotent.
 * @throws DomainError `not_found`.
 */
export async function revokeApiKey(
  ctx: ServiceContext,
  input: { readonly apiKeyId: ApiKeyId },
): Promise<{ readonly revokedAt: Date }> {
  const resellerId = requireKeyManager(ctx, "keys:write");
  const revokedAt = await revokeApiKeyRow(writesOf(ctx), resellerId, input.apiKeyId, changedBy(ctx));
  if (!revokedAt) throw noSuchKey();
  return { revokedAt };
}
