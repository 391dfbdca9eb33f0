import { notFound } from "next/navigation";
import { isDomainError } from "#lib/domain/errors.ts";
import { parsePositiveInteger } from "#lib/domain/integer.ts";
import { type CatalogBundle, getCatalogBundle } from "#lib/services/catalog/get-bundle.ts";
import { type CatalogProduct, getCatalogProduct } from "#lib/services/catalog/get-product.ts";
import type { ServiceContext } from "#lib/services/context.ts";

/** `id`: as in the address. */
export async function findProduct(ctx: ServiceContext, id: string): Promise<CatalogProduct> {
  const productId = parsePositiveInteger(id);
  return productId === null ? notFound() : found(getCatalogProduct(ctx, { productId }));
}

export async function findBundle(ctx: ServiceContext, id: string): Promise<CatalogBundle> {
  const bundleId = parsePositiveInteger(id);
  return bundleId === null ? notFound() : found(getCatalogBundle(ctx, { bundleId }));
}

async function found<Value>(search: Promise<Value>): Promise<Value> {
  try {
    return await search;
  } catch (error) {
    if (isDomainError(error) && error.code === "not_found") notFound();
    throw error;
  }
}
