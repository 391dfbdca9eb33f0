import { updateRetired } from "#lib/db/catalog/retire.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { conflictWith } from "./fields.ts";
import { getCatalogProduct } from "./get-product.ts";

/**
 * Retires a product or puts it back on sale. Existing licenses continue to renew. Idempotent.
 * @throws DomainError `not_found`, `state_invalid` (a bundle on sale has it).
 */
export async function setProductRetired(
  ctx: ServiceContext,
  { productId, retired }: { readonly productId: number; readonly retired: boolean },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const product = await getCatalogProduct(ctx, { productId });
  if (product.retired === retired) return;
  const bundle = product.bundles.find((one) => !one.retired);
  if (retired && bundle) throw conflictWith(`The bundle ${bundle.name} sells it: retire or change that first.`);
  const change = auditRecord(ctx, {
    action: retired ? "catalog.retire_product" : "catalog.restore_product",
    subject: `product:${productId}`,
    label: product.name,
  });
  await updateRetired(writesOf(ctx), "products", productId, retired ? ctx.now() : null, change);
}
