import { type BundleInstanceRow, findBundleInstance } from "#lib/db/bundle/instance.ts";
import { type LicenseRow, listMembers } from "#lib/db/license/license.ts";
import { DomainError } from "#lib/domain/errors.ts";
import type { ResellerId } from "#lib/domain/ids.ts";
import { requireReseller, type ServiceContext } from "#lib/services/context.ts";

export interface BundleInstance extends BundleInstanceRow {
  /** In the bundle's order. */
  readonly members: readonly LicenseRow[];
}

/** @throws DomainError `bundle_instance_not_found`, also for another reseller's (contract 1.12). */
export async function getBundleInstance(
  ctx: ServiceContext,
  input: { readonly bundleInstanceId: number },
): Promise<BundleInstance> {
  const resellerId = requireReseller(ctx, "bundles:read");
  return getOwnBundleInstance(ctx, resellerId, input.bundleInstanceId);
}

/** The caller checks permissions. */
export async function getOwnBundleInstance(
  ctx: ServiceContext,
  resellerId: ResellerId,
  bundleInstanceId: number,
): Promise<BundleInstance> {
  // Members first: if an operation settles in between, they are outdated and the hold is rejected.
  const members = await listMembers(ctx.db, resellerId, bundleInstanceId);
  const instance = await findBundleInstance(ctx.db, resellerId, bundleInstanceId);
  if (!instance) {
    throw new DomainError("bundle_instance_not_found", "You have no such bundle.", {
      details: { bundle_instance_id: "matches none of your bundles" },
    });
  }
  return { ...instance, members };
}
