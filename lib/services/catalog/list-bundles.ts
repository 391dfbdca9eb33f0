import { type BundleOffer, listBundleOffers } from "#lib/db/catalog/offer.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { BundleOffer } from "#lib/db/catalog/offer.ts";

/** Bundles that the reseller can buy, at its prices in minor units of its currency (contract 3.9). */
export async function listBundles(ctx: ServiceContext): Promise<readonly BundleOffer[]> {
  const resellerId = requireReseller(ctx, "catalog:read");
  return listBundleOffers(ctx.db, resellerId);
}
