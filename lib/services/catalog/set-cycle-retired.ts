import { updateRetired } from "#lib/db/catalog/retire.ts";
import { auditRecord } from "#lib/services/audit/record.ts";
import { requireAdmin, type ServiceContext, writesOf } from "#lib/services/context.ts";
import { requireSellable } from "./bundle-rules.ts";
import { getPricedCycle, subjectOf } from "./cycle.ts";
import { conflictWith } from "./fields.ts";
import { getCatalogBundle } from "./get-bundle.ts";
import { getCatalogProduct } from "./get-product.ts";

/**
 * Retires a cycle or puts it back on sale. Existing licenses continue to renew with it. Idempotent.
 * @throws DomainError `not_found`, `state_invalid` (a bundle on sale needs it, or cannot be sold for it).
 */
export async function setCycleRetired(
  ctx: ServiceContext,
  { cycleId, retired }: { readonly cycleId: number; readonly retired: boolean },
): Promise<void> {
  requireAdmin(ctx, "catalog:write");
  const cycle = await getPricedCycle(ctx, cycleId);
  if (cycle.retired === retired) return;
  if (retired && cycle.productId !== null) await requireUnneeded(ctx, cycle.productId, cycle.months);
  if (!retired && cycle.bundleId !== null) {
    const bundle = await getCatalogBundle(ctx, { bundleId: cycle.bundleId });
    const restored = bundle.cycles.filter(({ id }) => id === cycleId).map((one) => ({ ...one, retired: false }));
    requireSellable(bundle, restored);
  }
  const action = retired ? "catalog.retire_cycle" : "catalog.restore_cycle";
  const change = auditRecord(ctx, { action, ...subjectOf(cycle) });
  await updateRetired(writesOf(ctx), "billing_cycles", cycleId, retired ? ctx.now() : null, change);
}

/** A bundle is provisioned with its members' cycles of the same months. */
async function requireUnneeded(ctx: ServiceContext, productId: number, months: number): Promise<void> {
  const { bundles } = await getCatalogProduct(ctx, { productId });
  for (const { id } of bundles.filter((bundle) => !bundle.retired)) {
    const { name, cycles } = await getCatalogBundle(ctx, { bundleId: id });
    if (cycles.some((cycle) => cycle.months === months && !cycle.retired)) {
      throw conflictWith(`The bundle ${name} is sold for as many months: retire its cycle first.`);
    }
  }
}
