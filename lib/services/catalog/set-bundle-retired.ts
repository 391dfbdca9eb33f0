import { updateRetired } from "#lib/db/catalog/retire.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSellable } from "./bundle-rules.ts";
import { getCatalogBundle } from "./get-bundle.ts";

/**
 * Takes a bundle off sale, or puts it back. What was bought stays, and renews. Twice changes nothing.
 * @throws DomainError `permission_denied`, `not_found`, `state_invalid` (it could not be sold as it is).
 */
export async function setBundleRetired(
  ctx: ServiceContext,
  { bundleId, retired }: { readonly bundleId: number; readonly retired: boolean },
): Promise<void> {
  requireAdmin(ctx);
  const bundle = await getCatalogBundle(ctx, { bundleId });
  if ((bundle.retiredAt !== null) === retired) return;
  if (!retired) requireSellable(bundle, bundle.cycles);
  const change = auditRecord(ctx, {
    action: retired ? "catalog.retire_bundle" : "catalog.restore_bundle",
    subject: `bundle:${bundleId}`,
    label: bundle.name,
  });
  await updateRetired(writesOf(ctx), "bundles", bundleId, retired ? ctx.now() : null, change);
}
