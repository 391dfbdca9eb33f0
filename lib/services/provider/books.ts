import { listProviderReferences } from "#lib/db/provider.ts";
import type { ProviderBookEntry } from "#lib/ports/license-provider.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";
import { getProvider } from "./get.ts";

/**
 * What a provider holds for us, by its own account; its own names of licenses are turned into our references.
 * @throws DomainError `permission_denied`, `not_found`, `provider_unavailable`
 */
export async function readProviderBooks(
  ctx: ServiceContext,
  input: { readonly provider: string },
): Promise<readonly ProviderBookEntry[]> {
  requireAdmin(ctx);
  const provider = await getProvider(ctx, input.provider);
  return provider.books(await listProviderReferences(ctx.db, input.provider));
}
