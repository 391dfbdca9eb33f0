import { listMemberProducts, type MemberProduct } from "#lib/db/catalog/admin.ts";
import { type BundleFields, insertBundle } from "#lib/db/catalog/write-bundle.ts";
import { malformed } from "#lib/domain/errors.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireMembers } from "./bundle-rules.ts";
import { requireFields, taken } from "./fields.ts";

/**
 * Adds a bundle. It is on sale once a cycle has a price.
 * @throws DomainError `parameters_invalid`, `conflict` (name).
 */
export async function createBundle(ctx: ServiceContext, input: BundleFields): Promise<{ readonly bundleId: number }> {
  requireAdmin(ctx, "catalog:write");
  requireFields({ name: input.name, description: input.description });
  requireMembers(await readMembers(ctx, input.productIds), []);
  const bundleId = await insertBundle(writesOf(ctx), input, changedBy(ctx));
  if (bundleId === null) throw taken("name");
  return { bundleId };
}

/** The products with these ids, in order. @throws DomainError `parameters_invalid` */
export async function readMembers(ctx: ServiceContext, ids: readonly number[]): Promise<readonly MemberProduct[]> {
  requireAdmin(ctx, "catalog:write");
  const found = new Map((await listMemberProducts(ctx.db, ids)).map((product) => [product.id, product]));
  return ids.map((id) => {
    const product = found.get(id);
    if (product) return product;
    throw malformed("members", "must be products of the catalog");
  });
}
