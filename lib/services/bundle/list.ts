import { type BundleInstanceRow, listBundleInstances } from "#lib/db/license.ts";
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
