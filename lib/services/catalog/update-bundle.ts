import { type BundleFields, isBundleNameTaken, updateBundleRow } from "#lib/db/catalog/write-bundle.ts";
import { changedBy } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { changedMeanwhile, requireSeenVersion } from "#lib/services/operation/seen-version.ts";
import { requireMembers } from "./bundle-rules.ts";
import { readMembers } from "./create-bundle.ts";
import { requireFields, taken } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";

/**
 * Changes a bundle. New members apply to future purchases only.
 * @throws DomainError `parameters_invalid`, `not_found`, `conflict` (name), `changed_meanwhile`.
 */
export async function updateBundle(
  ctx: ServiceContext,
  input: BundleFields & { readonly bundleId: number },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const { bundleId, name, description, productIds } = input;
  requireFields({ name, description });
  const bundle = await getCatalogBundle(ctx, { bundleId });
  requireSeenVersion(ctx, [bundle], "This bundle");
  requireMembers(await readMembers(ctx, productIds), bundle.cycles);
  if (await isBundleNameTaken(ctx.db, bundleId, name)) throw taken("name");
  const changed = await updateBundleRow(writesOf(ctx), bundleId, input, bundle.version, changedBy(ctx));
  if (!changed) throw changedMeanwhile("This bundle");
}
