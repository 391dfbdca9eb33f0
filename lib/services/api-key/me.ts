import { type ApiKeySummaryRow, findApiKeyRow } from "#lib/db/api-key/api-key.ts";
import { findReseller, type ResellerRow } from "#lib/db/reseller/reseller.ts";
import { permissionDenied } from "#lib/services/actor.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { noSuchKey } from "./manager.ts";

/** The calling API key and its reseller. Needs no scope. @throws DomainError `permission_denied` for other callers */
export async function getCallingKey(ctx: ServiceContext): Promise<{ key: ApiKeySummaryRow; reseller: ResellerRow }> {
  const { actor } = ctx;
  if (actor.kind !== "api_key") throw permissionDenied("Only an API key can ask about itself.");
  const [key, reseller] = await Promise.all([
    findApiKeyRow(ctx.db, actor.resellerId, actor.apiKeyId, ctx.now()),
    findReseller(ctx.db, actor.resellerId),
  ]);
  if (!key || !reseller) throw noSuchKey();
  return { key, reseller };
}
