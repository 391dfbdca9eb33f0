import { type KeyUsage, listKeyUsageRows } from "#lib/db/request-log/usage.ts";
import type { ApiKeyId } from "#lib/domain/ids.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { requireKeyManager } from "./manager.ts";

export type { KeyUsage } from "#lib/db/request-log/usage.ts";

const HOUR_MS = 3_600_000;

/** The busiest minute of the last hour of each key that was used in it; those nearest to their rate limit first. */
export async function listKeyUsage(
  ctx: ServiceContext,
  { apiKeyId }: { readonly apiKeyId?: ApiKeyId } = {},
): Promise<KeyUsage[]> {
  const resellerId = requireKeyManager(ctx, "keys:read");
  return listKeyUsageRows(ctx.db, resellerId, {
    apiKeyId: apiKeyId ?? null,
    since: new Date(ctx.now().getTime() - HOUR_MS),
  });
}
