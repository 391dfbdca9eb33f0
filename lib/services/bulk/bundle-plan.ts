import { type BundleSelection, listSelectedBundles } from "#lib/db/bulk/selection.ts";
import { getWallet } from "#lib/db/wallet/wallet.ts";
import { MAX_BULK_ITEMS } from "#lib/domain/bulk.ts";
import { type BundleBulkChange, findBundleObstacle } from "#lib/domain/bulk-bundle.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { compareRenewals } from "#lib/domain/renewal.ts";
import { extendTerm } from "#lib/domain/term.ts";
import type { ServiceContext } from "#lib/services/context.ts";
import { priceOfBundle } from "#lib/services/renewals/price.ts";
import { type BulkPlan, toBulkPlan } from "./plan.ts";
import { tooManyItems } from "./start.ts";

export type { BundleSelection } from "#lib/db/bulk/selection.ts";

export interface BundleBulkInput {
  readonly change: BundleBulkChange;
  readonly selection: BundleSelection;
}

/**
 * The caller checks permissions. Ordered like `planLicenseBulk`.
 * @throws DomainError `state_invalid` (more than 10,000)
 */
export async function planBundleBulk(
  ctx: ServiceContext,
  resellerId: ResellerId,
  { change, selection }: BundleBulkInput,
): Promise<BulkPlan> {
  const now = ctx.now();
  const [rows, wallet] = await Promise.all([
    listSelectedBundles(ctx.db, resellerId, selection, MAX_BULK_ITEMS + 1),
    getWallet(ctx.db, resellerId),
  ]);
  if (rows.length > MAX_BULK_ITEMS) throw tooManyItems();
  const bundles = rows.map(({ basePrice, metering, ...row }) => {
    const price = basePrice === null ? null : priceOfBundle(basePrice, metering);
    return { ...row, price, kind: "bundle", dueAt: row.expiresAt } as const;
  });
  const charges = change.kind === "renew_bundle";
  if (charges) bundles.sort(compareRenewals);
  const planned = bundles.map((bundle) => ({
    target: { bundleInstanceId: bundle.id },
    name: bundle.name,
    obstacle: findBundleObstacle(change, bundle, now),
    charge: charges && bundle.price !== null ? { price: bundle.price, termEndsAt: bundle.expiresAt } : null,
    newExpiry: charges ? extendTerm(bundle, bundle.months, now).expiresAt : null,
  }));
  return toBulkPlan(planned, wallet, charges);
}
