import {
  type CatalogBundle,
  findCatalogBundle,
  listMemberProducts,
  type MemberProduct,
} from "#lib/db/catalog/admin.ts";
import { DomainError } from "#lib/domain/errors.ts";
import { requireAdmin, type ServiceContext } from "#lib/services/context.ts";

export type { CatalogBundle, MemberProduct } from "#lib/db/catalog/admin.ts";

/** A bundle with its members in order, and its cycles with list prices. @throws DomainError `not_found`. */
export async function getCatalogBundle(
  ctx: ServiceContext,
  { bundleId }: { readonly bundleId: number },
): Promise<CatalogBundle> {
  requireAdmin(ctx, "admin:read");
  const bundle = await findCatalogBundle(ctx.db, bundleId);
  if (!bundle) throw new DomainError("not_found", "There is no such bundle.");
  return bundle;
}

/** Products that can be members, by name. */
export async function listPossibleMembers(ctx: ServiceContext): Promise<readonly MemberProduct[]> {
  requireAdmin(ctx, "admin:read");
  return listMemberProducts(ctx.db, null);
}
