import { type ProductFields, updateProductRow } from "#lib/db/catalog/write.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile, requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { requireProvider } from "./create-product.ts";
import { requireFields, taken } from "./fields.ts";
import { getCatalogProduct } from "./get-product.ts";

/**
 * Changes a product. Provider and code are fixed while it has unterminated licenses, the metering while it has prices.
 * @throws DomainError `parameters_invalid`, `not_found`, `state_invalid`, `conflict` (name taken),
 * `changed_meanwhile`.
 */
export async function updateProduct(
  ctx: ServiceContext,
  input: ProductFields & { readonly productId: number },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  requireFields(input);
  const { productId, provider, providerSku, coreMetered } = input;
  const product = await getCatalogProduct(ctx, { productId });
  requireSeenVersion(ctx, [product], "This product");
  const moved = provider !== product.providerName;
  if (moved) await requireProvider(ctx, provider);
  if ((moved || providerSku !== product.providerSku) && product.keptLicenses > 0) {
    throw refused(moved ? "provider" : "provider_sku", "stays while there are licenses: they are known there by it");
  }
  if (coreMetered !== product.coreMetered && product.priceCount > 0) {
    throw refused("core_metered", "stays while the product has prices: they are made for it");
  }
  const bundle = moved && product.bundles.find((one) => !one.retired);
  if (bundle)
    throw refused("provider", `stays while the bundle ${bundle.name} is on sale: its members have one provider`);
  const changed = await updateProductRow(writesOf(ctx), productId, input, ctx.seenVersion ?? null, changedBy(ctx));
  if (typeof changed === "string") throw taken(changed);
  if (!changed) throw changedMeanwhile("This product");
}

function refused(field: string, message: string): DomainError {
  return new DomainError("state_invalid", "This cannot be changed now.", { details: { [field]: message } });
}
