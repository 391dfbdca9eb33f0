import { listOpenOperations, type OpenOperationRow } from "#lib/db/wallet/wallet.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { OpenOperationRow } from "#lib/db/wallet/wallet.ts";

/** Operations that the provider has not confirmed, newest first, with their holds (contract 3.11, 3.12). */
export async function listOwnOpenOperations(
  ctx: ServiceContext,
  input: { readonly limit: number },
): Promise<readonly OpenOperationRow[]> {
  const resellerId = requireReseller(ctx, "wallet:read");
  return listOpenOperations(ctx.db, resellerId, input.limit);
}
