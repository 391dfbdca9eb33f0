import { updateRetired } from "#lib/db/catalog/retire.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSellable } from "./bundle-rules.ts";
import { getCatalogBundle } from "./get-bundle.ts";

/**
 * Retires a bundle or puts it back on sale. Existing ones continue to renew. Idempotent.
 * @throws DomainError `not_found`, `state_invalid` (it cannot be sold as it is).
 */
export async function setBundleRetired(
  ctx: ServiceContext,
  { bundleId, retired }: { readonly bundleId: number; readonly retired: boolean },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const bundle = await getCatalogBundle(ctx, { bundleId });
  if (bundle.retired === retired) return;
  if (!retired) requireSellable(bundle, bundle.cycles);
  const change = auditRecord(ctx, {
    action: retired ? "catalog.retire_bundle" : "catalog.restore_bundle",
    subject: `bundle:${bundleId}`,
    label: bundle.name,
  });
  await updateRetired(writesOf(ctx), "bundles", bundleId, retired ? ctx.now() : null, change);
}
