import { listProductOffers, type ProductOffer } from "#lib/db/catalog/offer.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { CycleOffer, ProductOffer } from "#lib/db/catalog/offer.ts";

/** Products that the reseller can buy, at its prices in minor units of its currency (contract 3.8). */
export async function listProducts(ctx: ServiceContext): Promise<readonly ProductOffer[]> {
  const resellerId = requireReseller(ctx, "catalog:read");
  return listProductOffers(ctx.db, resellerId);
}
