import { type CatalogProduct, findCatalogProduct } from "#lib/db/catalog/admin.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export type { CatalogCycle, CatalogProduct } from "#lib/db/catalog/admin.ts";

/** A product with all of its cycles and list prices. @throws DomainError `not_found`. */
export async function getCatalogProduct(
  ctx: ServiceContext,
  { productId }: { readonly productId: number },
): Promise<CatalogProduct> {
  requireAdmin(ctx, "admin:read");
  const product = await findCatalogProduct(ctx.db, productId);
  if (!product) throw new DomainError("not_found", "There is no such product.");
  return product;
}
