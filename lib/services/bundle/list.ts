import { type BundleInstanceRow, countBundleInstances, listBundleInstances } from "#lib/db/license.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export type { BundleInstanceRow } from "#lib/db/license.ts";

/** The reseller's bundle instances, newest first. `before` is the id to continue after; null for the newest. */
export async function listOwnBundleInstances(
  ctx: ServiceContext,
  input: { readonly before: number | null; readonly limit: number },
): Promise<{ readonly instances: readonly BundleInstanceRow[]; readonly nextBefore: number | null }> {
  const resellerId = requireReseller(ctx, "bundles:read");
  const found = await listBundleInstances(ctx.db, resellerId, { before: input.before, limit: input.limit + 1 });
  const instances = found.slice(0, input.limit);
  return { instances, nextBefore: found.length > input.limit ? (instances.at(-1)?.id ?? null) : null };
}

/** How many bundle instances the reseller has, up to one more than can be changed at once. */
export async function countOwnBundleInstances(ctx: ServiceContext): Promise<number> {
  const resellerId = requireReseller(ctx, "bundles:read");
  return countBundleInstances(ctx.db, resellerId, MAX_BULK_ITEMS + 1);
}
