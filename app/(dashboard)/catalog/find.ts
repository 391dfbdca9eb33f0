import { notFound } from "next/navigation";
import { cache } from "react";
import { orNotFound } from "#app/(dashboard)/or-not-found.ts";
import { contextOf, requireAdminUser } from "#lib/dashboard/session.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type CatalogBundle, getCatalogBundle } from "#lib/services/catalog/get-bundle.ts";
import { type CatalogProduct, getCatalogProduct } from "#lib/services/catalog/get-product.ts";

/** `id`: as in the address. */
export const findProduct = cache(async (id: string): Promise<CatalogProduct> => {
  const ctx = contextOf(await requireAdminUser("admin:read"));
  const productId = parsePositiveInteger(id);
  return productId === null ? notFound() : orNotFound(getCatalogProduct(ctx, { productId }));
});

export const findBundle = cache(async (id: string): Promise<CatalogBundle> => {
  const ctx = contextOf(await requireAdminUser("admin:read"));
  const bundleId = parsePositiveInteger(id);
  return bundleId === null ? notFound() : orNotFound(getCatalogBundle(ctx, { bundleId }));
});
